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
		this.early = new Map() // facts about files that are not listed yet, by number
		this.more = false
		this.unread = []
		this.encrypted = false
		this.contacts = []
		this.planned = Promise.resolve() // one plan is made at a time
		this.wanted = null // the files that a press in the strip was about, for the page that it opens
		this.window = null // the id of the window that stands for the popup
		this.pages = new Set() // ports of popups
		this.left = false // the tab shows another message
		this.changed = new Set()
		this.timer = null
	}

	// read hands the message to the program. A message without files leaves no program running.
	async read() {
		try {
			const file = await this.raw()
			if (this.left && !this.pages.size) {
				this.phase = 'none'
				return
			}
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
			for (const file of answer.files ?? []) {
				// Two callers may list at the same time.
				this.files[file.number - 1] ??= { state: 'listed', ...file, ...this.early.get(file.number) }
			}
			this.total = answer.total ?? 0
			this.unread = answer.unread ?? []
			this.more = answer.more ?? false
		} while (this.more && this.files.length < most)
	}

	file(number) {
		return this.files[number - 1]
	}

	// plan asks which hosts getting files would contact, after the plan before. Contacts that are in progress
	// stay.
	plan(files) {
		const plan = this.planned.then(() => this.makePlan(files ?? this.numbers()))
		this.planned = plan.catch(() => {})
		return plan
	}

	async makePlan(files) {
		const taken = this.taken()
		let left = files.filter(n => !taken.has(n) && this.facts(n)?.state !== 'saved')
		const found = []
		while (left.length) {
			const answer = await this.host.call('plan', { files: left })
			for (const contact of answer.contacts) {
				found.push({ state: 'new', ...contact })
				const has = new Set(contact.files)
				left = left.filter(n => !has.has(n))
			}
			if (!answer.more || !answer.contacts.length) break
		}
		// A get may have begun in the meantime.
		const begun = this.taken()
		const fresh = found.filter(c => !c.files.some(n => begun.has(n)))
		this.contacts = [...this.going(), ...fresh]
		for (const contact of fresh) {
			if (contact.refused) this.set(contact.files, { state: 'refused', reason: contact.refused })
		}
		this.show()
	}

	// going returns the contacts in progress.
	going() {
		return this.contacts.filter(c => c.state === 'running' || c.state === 'asks')
	}

	// taken returns the numbers of their files.
	taken() {
		return new Set(this.going().flatMap(c => c.files ?? []))
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
			this.show()
			await this.host.call('get', { plan }).catch(() => {}) // the get has ended: its events have the reason
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
				if (this.facts(n)?.state !== 'saved') this.set([n], { state: 'failed', reason: fault.message })
			}
		}
		this.contacts = this.contacts.filter(c => c.of !== plan)
		this.button()
		this.show()
		this.release()
	}

	// begin gives a page the state, plans the files that it is about, and gets what needs no question after a
	// press in the strip: a file in the message, and one of a host that was agreed to for good.
	async begin(page) {
		const wanted = this.wanted
		this.wanted = null
		page.postMessage(this.state())
		await this.done
		if (!this.pages.has(page)) return
		page.postMessage(this.state())
		if (this.phase !== 'ready' || !this.total) return
		await this.plan(wanted)
		if (!wanted) return
		for (const contact of this.contacts) {
			const known = contact.agreed || contact.local
			if (contact.state === 'new' && !contact.refused && known) this.get(contact.plan, false)
		}
	}

	// join gives a page the state from now on.
	join(page) {
		this.pages.add(page)
		return this.attempt(() => this.begin(page))
	}

	// attempt runs a thing that a person asked for. The pages show why the program is there no more.
	async attempt(run) {
		try {
			await run()
		} catch (fault) {
			this.phase = fault instanceof Fault ? fault.code : 'ended'
			this.text = fault.message
		}
		this.show()
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
				const octets = event.octets ?? 0
				const rate = seconds > 0.5 ? octets / seconds : 0
				this.set([event.number], { state: 'coming', octets, of: event.size, rate })
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
			if (file) this.changed.add(n)
			else if (!this.early.has(n)) this.early.set(n, {})
			Object.assign(this.facts(n), facts)
		}
	}

	// facts returns what is known about a file, listed or not.
	facts(number) {
		return this.file(number) ?? this.early.get(number)
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
		return { message: this.id, phase, text, total, more, unread, encrypted, contacts, folder: this.host?.folder }
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

// displayed returns the id of the one message that a tab shows, or null.
async function displayed(tab) {
	try {
		const shown = await browser.messageDisplay.getDisplayedMessages(tab)
		const messages = shown.messages ?? shown
		return messages.length === 1 ? messages[0].id : null
	} catch (error) {
		return null // the tab has gone
	}
}

// look returns the Mail of a tab, or null.
async function look(tab) {
	const id = await displayed(tab)
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

// ask opens the popup of the button with the question about files, or its page as a window where there is
// no button.
async function ask(mail, tab, files) {
	mail.wanted = files
	const is = await browser.messageDisplayAction.openPopup({ windowId: tab.windowId }).catch(() => false)
	if (!is && !mail.pages.size) {
		const url = `popup.html?tab=${mail.tab}`
		mail.window = (await browser.windows.create({ type: 'popup', url, width: 500, height: 560 })).id
		return
	}
	if (!is && mail.window !== null) await browser.windows.update(mail.window, { focused: true }).catch(() => {})
	const [open] = mail.pages
	if (mail.wanted && open) await mail.begin(open) // no new page takes them
}

browser.messageDisplay.onMessagesDisplayed.addListener(tab => { look(tab.id) })

browser.tabs.onRemoved.addListener(tab => {
	mails.get(tab)?.leave()
	mails.delete(tab)
})

// The strip asks for the state, for all files, and for the popup. It names the message that it is above: the
// tab may show another one already.
browser.runtime.onMessage.addListener(async (request, sender) => {
	if (!sender.tab) return
	const mail = await look(sender.tab.id)
	if (!mail) return
	if (request.do === 'state') return mail.state()
	if (request.message !== mail.id) return
	if (request.do === 'all') await mail.attempt(() => mail.list())
	if (request.do === 'get') await mail.attempt(() => ask(mail, sender.tab, request.files ?? mail.numbers()))
})

// A popup names its tab by the name of its port. A port of another page, such as a message, is refused.
browser.runtime.onConnect.addListener(port => {
	if (!port.sender.url.startsWith(browser.runtime.getURL('popup.html'))) {
		port.disconnect()
		return
	}
	const tab = Number(port.name)
	let mail = null
	let gone = false
	const join = async () => {
		mail = await look(tab)
		if (gone) return
		if (mail) mail.join(port)
		else port.postMessage({ head: { phase: 'none', contacts: [], unread: [] }, files: [] })
	}
	port.onDisconnect.addListener(() => {
		gone = true
		mail?.pages.delete(port)
		mail?.release()
	})
	port.onMessage.addListener(request => {
		if (request.do !== 'again') {
			mail?.attempt(() => answer(mail, request))
			return
		}
		// after the program was installed
		mail?.pages.delete(port)
		mail?.leave()
		if (mails.get(tab) === mail) mails.delete(tab)
		join()
	})
	join()
})

// answer does what a person pressed in a popup.
async function answer(mail, request) {
	switch (request.do) {
	case 'get': return mail.get(request.plan, request.always)
	case 'refuse': return mail.refuse(request.plan)
	case 'plan': return mail.plan(request.files)
	case 'all': return mail.list()
	case 'show':
	case 'reveal':
		try {
			const shown = await mail.host.call(request.do, { file: request.file })
			mail.set([request.file], { opened: shown.text ?? '' })
		} catch (fault) {
			mail.set([request.file], { opened: fault.message })
		}
	}
}
