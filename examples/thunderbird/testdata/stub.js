// The mail program, as the scripts of the extension see it. A message has as many files as its id.

'use strict'

const event = () => {
	const e = { addListener: f => { e.emit = f } }
	return e
}

const shown = new Map() // the id of the message, by tab
const sent = [] // changes for the strip
const programs = []
let raw = async () => new Blob(['mail'])
let popup = async () => true

class Program {
	constructor() {
		this.onMessage = event()
		this.onDisconnect = event()
		this.open = true
		programs.push(this)
	}
	postMessage(q) {
		const total = this.total ?? 1
		const answers = {
			hello: () => ({ protocol: 1, most: -1, folder: '/saved' }),
			open: () => ({}),
			list: () => {
				const end = Math.min(total, q.count ? q.from + q.count - 1 : Math.min(q.from + 9, total))
				const files = []
				for (let number = q.from; number <= end; number++) files.push({ number, name: `${number}.pdf`, size: '-', kind: 'PDF', host: 'h.example' })
				return { files, total, more: end < total }
			},
			plan: () => ({ contacts: [{ plan: 'plan ' + q.files.join(), host: 'h.example', summary: 'learns', secure: true, files: q.files }] }),
			cancel: () => ({ error: 'no such plan' }),
		}
		if (q.op === 'get') {
			this.get = q
			if (q.plan === 'gone') setTimeout(() => this.onMessage.emit({ id: q.id, error: 'no such plan' }))
			return
		}
		setTimeout(() => this.open && this.onMessage.emit({ id: q.id, ...answers[q.op]() }))
	}
	event(e) {
		this.onMessage.emit({ id: this.get.id, ...structuredClone(e) })
	}
	end() {
		this.open = false
		this.onDisconnect.emit({ error: { message: 'it crashed' } })
	}
	disconnect() {
		this.open = false
	}
}

// The real one waits for another process, for which the time of the tests does not.
globalThis.FileReader = class {
	readAsDataURL() {
		this.result = 'data:;base64,bWFpbA=='
		setTimeout(() => this.onload())
	}
}

// A Page is a popup, which has asked for the state of a tab.
class Page {
	constructor(tab, url = 'moz-extension://x/popup.html') {
		this.name = String(tab)
		this.sender = { url }
		this.onMessage = event()
		this.onDisconnect = event()
		this.states = []
		this.gone = false
		this.refused = false
		browser.runtime.onConnect.emit(this)
	}
	postMessage(state) {
		if (this.gone) throw new Error('the port is not connected')
		this.states.push(structuredClone(state))
	}
	disconnect() {
		this.refused = true
	}
	close() {
		this.gone = true
		this.onDisconnect.emit?.(this)
	}
	get head() {
		return this.states.at(-1)?.head
	}
}

globalThis.browser = {
	runtime: {
		onMessage: event(),
		onConnect: event(),
		getURL: path => 'moz-extension://x/' + path,
		connectNative: () => Object.assign(new Program(), { total: connecting }),
	},
	messageDisplay: {
		onMessagesDisplayed: event(),
		getDisplayedMessages(tab) {
			if (!Number.isInteger(tab)) throw new Error('want a number')
			if (!shown.has(tab)) return Promise.reject(new Error('there is no such tab'))
			return Promise.resolve({ messages: [{ id: shown.get(tab) }] })
		},
	},
	messages: { getRaw: id => { connecting = id; return raw(id) } },
	messageDisplayAction: { setBadgeText: async () => {}, setTitle: async () => {}, openPopup: () => popup() },
	tabs: { onRemoved: event(), sendMessage: async (tab, change) => { sent.push(structuredClone(change)) } },
	windows: { created: 0, create: async () => ({ id: ++browser.windows.created }), update: async () => {} },
}
let connecting = 1

// The tests.

const results = []
addEventListener('unhandledrejection', e => { results.push(`unhandled: ${e.reason}`) })
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))
const fail = text => { throw new Error(text) }
const same = (got, want, name) => JSON.stringify(got) === JSON.stringify(want) || fail(`${name}: got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`)

async function run(tests) {
	for (const [name, test] of Object.entries(tests)) {
		try {
			await test()
			results.push(`${name}: ok`)
		} catch (error) {
			results.push(`${name}: ${error.message}`)
		}
		await sleep(1)
		document.documentElement.dataset.results = results.join('\n')
	}
	document.documentElement.dataset.results += '\nend'
}
