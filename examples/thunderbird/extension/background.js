// The messages that are shown, and their files. The pages show this state and change nothing
// without it: strip.js above the text, and popup.js in the popup of the button.

'use strict'

// How many files are listed before a person asks for all of them.
const SOME = 50

// The messages that are shown, by the id of their tab.
const mails = new Map()

// A Mail is a message that a tab shows.
class Mail {
	constructor(tab, id) {
		this.tab = tab
		this.id = id
		this.phase = 'reading' // then ready, or the code of a Fault
		this.text = ''
		this.total = 0
		this.files = []
		this.more = false
		this.unread = []
		this.encrypted = false
		this.contacts = []
		this.wanted = null // the files that a press in the strip was about
		this.pages = new Set() // ports of popups
		this.left = false // the tab shows another message
		this.changed = new Set()
		this.timer = null
	}

	// read hands the message to the program. A message without files leaves no program running.
	async read() {
		try {
			const file = await this.raw()
			this.host = new Host()
			await this.host.hand(file)
			await this.list(SOME)
			this.phase = 'ready'
		} catch (fault) {
			this.phase = fault instanceof Fault ? fault.code : 'unreadable'
			this.text = fault.message
		}
		if (this.left || !this.files.length) this.host?.close()
		this.button()
		this.show()
	}

	// raw returns the octets of the message, decrypted where that is possible.
	async raw() {
		try {
			return await browser.messages.getRaw(this.id, { data_format: 'File', decrypt: true })
		} catch (error) {
			const file = await browser.messages.getRaw(this.id, { data_format: 'File' })
			this.encrypted = true
			return file
		}
	}

	// list lists files up to a number, or all of them.
	async list(most = Infinity) {
		do {
			const count = most === Infinity ? 0 : most - this.files.length
			const answer = await this.host.call('list', { from: this.files.length + 1, count })
			for (const file of answer.files ?? []) this.files.push({ state: 'listed', ...file })
			this.total = answer.total ?? 0
			this.unread = answer.unread ?? []
			this.more = answer.more ?? false
		} while (this.more && this.files.length < most)
	}

	file(number) {
		return this.files[number - 1]
	}

	// plan asks which hosts getting files would contact. Contacts that are in progress stay.
	async plan(files) {
		const contacts = this.contacts.filter(c => c.state === 'running' || c.state === 'asks')
		const taken = new Set(contacts.flatMap(c => c.files ?? []))
		let left = (files ?? this.numbers()).filter(n => !taken.has(n) && this.file(n)?.state !== 'saved')
		while (left.length) {
			const answer = await this.host.call('plan', { files: left })
			for (const contact of answer.contacts) {
				contacts.push({ state: 'new', ...contact })
				const has = new Set(contact.files)
				left = left.filter(n => !has.has(n))
			}
			if (!answer.more || !answer.contacts.length) break
		}
		this.contacts = contacts
		for (const contact of contacts) {
			if (contact.refused) this.set(contact.files, { state: 'refused', reason: contact.refused })
		}
		this.show()
	}

	// numbers returns the numbers of all files, listed or not.
	numbers() {
		return Array.from({ length: this.total }, (_, i) => i + 1)
	}

	// get gets the files of a contact, which a person agreed to.
	async get(plan, always) {
		const contact = this.contacts.find(c => c.plan === plan)
		if (!contact) return
		if (contact.state === 'asks') {
			this.contacts = this.contacts.filter(c => c !== contact)
			await this.host.call('get', { plan })
			this.show()
			return
		}
		if (contact.state !== 'new') return
		contact.state = 'running'
		this.set(contact.files, { state: 'waiting', reason: '' })
		this.show()
		try {
			await this.host.call('get', { plan, always }, event => this.event(event, plan))
			contact.state = 'done'
		} catch (fault) {
			contact.state = 'failed'
			for (const n of contact.files) {
				if (this.file(n)?.state !== 'saved') this.set([n], { state: 'failed', reason: fault.message })
			}
		}
		this.contacts = this.contacts.filter(c => c.of !== plan)
		this.button()
		this.show()
		this.release()
	}

	// event takes an event of the get of a plan.
	event(event, plan) {
		const file = this.file(event.number)
		switch (event.event) {
		case 'ask':
			this.contacts.unshift({ state: 'asks', of: plan, ...event.contacts[0] })
			break
		case 'progress':
			if (file) {
				file.begun ??= Date.now()
				const seconds = (Date.now() - file.begun) / 1000
				const rate = seconds > 0.5 ? event.octets / seconds : 0
				this.set([event.number], { state: 'coming', octets: event.octets, of: event.size, rate })
			}
			break
		case 'saved':
			this.set([event.number], { state: 'saved', saved: event.name, notes: event.notes, reason: '' })
			break
		case 'failed':
			this.set([event.number], { state: 'failed', reason: event.text })
			break
		}
		this.button()
		this.show()
	}

	set(numbers, facts) {
		for (const n of numbers ?? []) {
			const file = this.file(n)
			if (!file) continue
			Object.assign(file, facts)
			this.changed.add(n)
		}
	}

	// refuse gives a contact up, or ends its get.
	async refuse(plan) {
		const contact = this.contacts.find(c => c.plan === plan)
		if (!contact) return
		if (contact.state !== 'running') this.contacts = this.contacts.filter(c => c !== contact)
		this.show()
		await this.host.call('cancel', { plan }).catch(() => {})
	}

	// button shows the number of files on the button of the tab, and how many percent are there.
	button() {
		if (this.left) return
		const coming = this.files.filter(f => f.state === 'coming' && f.of)
		const octets = coming.reduce((n, f) => n + f.octets, 0)
		const all = coming.reduce((n, f) => n + f.of, 0)
		let text = this.total ? String(this.total) : ''
		if (all) text = Math.floor(100 * octets / all) + '%'
		if (this.phase === 'missing' || this.phase === 'moved') text = '!'
		const title = this.total ? `Files elsewhere: ${this.total}` : 'Files elsewhere'
		for (const [name, value] of [['setBadgeText', { text }], ['setTitle', { title }]]) {
			browser.messageDisplayAction[name]({ tabId: this.tab, ...value }).catch(() => {})
		}
	}

	// head is the state without the files.
	head() {
		const { phase, text, total, more, unread, encrypted, contacts } = this
		return { phase, text, total, more, unread, encrypted, contacts, folder: this.host?.folder }
	}

	state() {
		return { head: this.head(), files: this.files }
	}

	// show gives the pages the state soon: once for many changes.
	show() {
		this.timer ??= setTimeout(() => {
			this.timer = null
			const files = [...this.changed].map(n => this.file(n))
			this.changed.clear()
			const change = this.files.length === this.given ? { head: this.head(), files } : this.state()
			this.given = this.files.length
			for (const page of this.pages) page.postMessage(change)
			if (!this.left) browser.tabs.sendMessage(this.tab, change).catch(() => {})
		}, 100)
	}

	// leave is called when the tab shows another message, or is closed. A get goes on.
	leave() {
		this.left = true
		this.release()
	}

	release() {
		const busy = this.contacts.some(c => c.state === 'running')
		if (this.left && !busy && !this.pages.size) this.host?.close()
	}
}

// look returns the Mail of a tab.
async function look(tab) {
	const shown = await browser.messageDisplay.getDisplayedMessages(tab)
	const messages = shown.messages ?? shown
	const id = messages.length === 1 ? messages[0].id : null
	const old = mails.get(tab)
	if (old && old.id === id) return old
	old?.leave()
	mails.delete(tab)
	if (id === null) return null
	const mail = new Mail(tab, id)
	mails.set(tab, mail)
	mail.button()
	mail.done = mail.read()
	return mail
}

// openPopup opens the popup of the button, or its page as a window where there is no button.
async function openPopup(tab) {
	let is = false
	try {
		is = await browser.messageDisplayAction.openPopup({ windowId: tab.windowId })
	} catch (error) {
		// It is not there in this window.
	}
	if (!is) browser.windows.create({ type: 'popup', url: `popup.html?tab=${tab.id}`, width: 500, height: 560 })
}

browser.messageDisplay.onMessagesDisplayed.addListener(tab => { look(tab.id) })

browser.tabs.onRemoved.addListener(tab => {
	mails.get(tab)?.leave()
	mails.delete(tab)
})

// The strip asks for the state, for all files, and for the popup.
browser.runtime.onMessage.addListener(async (request, sender) => {
	if (!sender.tab) return
	const mail = await look(sender.tab.id)
	if (!mail) return
	switch (request.do) {
	case 'state':
		return mail.state()
	case 'all':
		await mail.list()
		mail.show()
		break
	case 'get':
		mail.wanted = request.files ?? mail.numbers()
		await openPopup(sender.tab)
		for (const page of mail.pages) begin(mail, page) // one that was open
		break
	}
})

// begin plans what a page is about. A host that was agreed to for good, and a file in the message, need no
// question after a press in the strip.
async function begin(mail, page) {
	await mail.done
	page.postMessage(mail.state())
	if (mail.phase !== 'ready' || !mail.total) return
	const wanted = mail.wanted
	mail.wanted = null
	try {
		await mail.plan(wanted)
	} catch (fault) {
		mail.phase = fault.code ?? 'ended'
		mail.text = fault.message
		mail.show()
		return
	}
	if (!wanted) return
	for (const contact of mail.contacts) {
		if (contact.state === 'new' && !contact.refused && (contact.agreed || contact.local)) mail.get(contact.plan, false)
	}
}

// A popup names its tab by the name of its port.
browser.runtime.onConnect.addListener(async port => {
	const tab = Number(port.name)
	let mail = await look(tab)
	if (!mail) {
		port.postMessage({ head: { phase: 'none', contacts: [], unread: [] }, files: [] })
		return
	}
	const join = () => {
		mail.pages.add(port)
		begin(mail, port)
	}
	port.onDisconnect.addListener(() => {
		mail.pages.delete(port)
		mail.release()
	})
	port.onMessage.addListener(async request => {
		switch (request.do) {
		case 'get': return mail.get(request.plan, request.always)
		case 'refuse': return mail.refuse(request.plan)
		case 'plan': return mail.plan(request.files)
		case 'all':
			await mail.list()
			return mail.show()
		case 'show':
		case 'reveal':
			try {
				const answer = await mail.host.call(request.do, { file: request.file })
				mail.set([request.file], { opened: answer.text ?? '' })
			} catch (fault) {
				mail.set([request.file], { opened: fault.message })
			}
			return mail.show()
		case 'again': // after the program was installed
			mail.pages.delete(port)
			mails.delete(tab)
			mail.leave()
			mail = await look(tab)
			return join()
		}
	})
	join()
})
