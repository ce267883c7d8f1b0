'use strict'

{
let tabs = 0

// display shows a message in a tab, and returns the tab.
async function display(id, tab = ++tabs) {
	shown.set(tab, id)
	browser.messageDisplay.onMessagesDisplayed.emit({ id: tab })
	await sleep(50)
	return tab
}

// say sends a request of the strip.
const say = (tab, request) => browser.runtime.onMessage.emit({ message: shown.get(tab), ...request }, { tab: { id: tab, windowId: 1 } })

run({
	async 'two that ask for all files get each once'() {
		const tab = await display(75)
		await Promise.all([say(tab, { do: 'all' }), say(tab, { do: 'all' })])
		const state = await say(tab, { do: 'state' })
		same(state.files.map(f => f.number), Array.from({ length: 75 }, (_, i) => i + 1), 'numbers')
	},
	async 'a file that was saved before it was listed'() {
		const tab = await display(60)
		const page = new Page(tab)
		await sleep(150)
		page.onMessage.emit({ do: 'get', plan: page.head.contacts[0].plan })
		programs.at(-1).event({ event: 'saved', number: 60, name: '60.pdf' })
		await say(tab, { do: 'all' })
		const { files } = await say(tab, { do: 'state' })
		same([files[59].state, files[59].saved, files[58].state], ['saved', '60.pdf', 'waiting'], 'states')
	},
	async 'a change names its message'() {
		const tab = await display(3)
		await sleep(150)
		same(sent.at(-1).head.message, 3, 'message')
		same((await say(tab, { do: 'state' })).head.message, 3, 'message of the state')
	},
	async 'a press above another message does nothing'() {
		const tab = await display(4)
		let opened = 0
		popup = async () => { opened++; return true }
		await say(tab, { do: 'get', files: [1], message: 3 })
		same(opened, 0, 'popups')
		await say(tab, { do: 'get', files: [1] })
		same(opened, 1, 'popups of the message')
		popup = async () => true
	},
	async 'a press asks about its file alone'() {
		const tab = await display(3)
		let page
		popup = async () => { page = new Page(tab); await sleep(0); return true }
		await say(tab, { do: 'get', files: [2] })
		await sleep(200)
		same(page.head.contacts.map(c => c.files), [[2]], 'files of the question')
		popup = async () => true
	},
	async 'a get that begins while another plan is made can be canceled'() {
		const tab = await display(3)
		const page = new Page(tab)
		await sleep(200)
		page.onMessage.emit({ do: 'plan' })
		page.onMessage.emit({ do: 'get', plan: page.head.contacts[0].plan })
		await sleep(200)
		same(page.head.contacts.map(c => c.state), ['running'], 'contacts')
	},
	async 'a page that closes while it opens is forgotten'() {
		const tab = await display(2)
		new Page(tab).close()
		await sleep(50)
		const program = programs.at(-1)
		await display(1, tab)
		same(program.open, false, 'the program of the message before')
	},
	async 'a page of a tab that has gone'() {
		for (const tab of [999, 'x']) {
			const page = new Page(tab)
			await sleep(20)
			same(page.head?.phase, 'none', 'phase')
		}
	},
	async 'a port of a mail is refused'() {
		const tab = await display(2)
		const page = new Page(tab, 'imap://mail/')
		await sleep(50)
		same([page.refused, page.states.length], [true, 0], 'refused, states')
	},
	async 'a program that ends is shown'() {
		const tab = await display(2)
		const page = new Page(tab)
		await sleep(150)
		programs.at(-1).end()
		page.onMessage.emit({ do: 'plan', files: [1] })
		await sleep(150)
		same([page.head.phase, page.head.text], ['ended', 'it crashed'], 'phase')
	},
	async 'progress before the first octet'() {
		const tab = await display(2)
		const page = new Page(tab)
		await sleep(150)
		page.onMessage.emit({ do: 'get', plan: page.head.contacts[0].plan })
		programs.at(-1).event({ event: 'progress', number: 1 })
		same(stateOf((await say(tab, { do: 'state' })).files[0]), '0 octets', 'state')
	},
	async 'an answer to a question that has gone changes nothing'() {
		const tab = await display(2)
		const page = new Page(tab)
		await sleep(150)
		const plan = page.head.contacts[0].plan
		page.onMessage.emit({ do: 'get', plan })
		programs.at(-1).event({ event: 'ask', contacts: [{ plan: 'gone', host: 'other.example', summary: '' }] })
		page.onMessage.emit({ do: 'get', plan: 'gone' })
		await sleep(150)
		same([page.head.phase, page.head.contacts.map(c => c.state)], ['ready', ['running']], 'state')
	},
	async 'a message that was passed over is not handed over'() {
		const before = programs.length
		raw = () => sleep(80).then(() => new Blob(['mail']))
		const tab = await display(2)
		await display(3, tab)
		await sleep(200)
		same(programs.length - before, 1, 'programs')
		raw = async () => new Blob(['mail'])
	},
	async 'a message that was deleted'() {
		raw = async () => { throw new Error('there is no such message') }
		const tab = await display(2)
		same((await say(tab, { do: 'state' })).head.phase, 'unreadable', 'phase')
		raw = async () => new Blob(['mail'])
	},
	async 'again leaves the message of another page'() {
		const tab = await display(2)
		const page = new Page(tab)
		await sleep(150)
		await display(3, tab)
		const program = programs.at(-1)
		page.onMessage.emit({ do: 'again' })
		await sleep(150)
		same(page.head.message, 3, 'message')
		page.close()
		await display(1, tab)
		same(program.open, false, 'its program')
	},
	async 'without the button there is one window'() {
		const tab = await display(2)
		popup = async () => false
		await say(tab, { do: 'get', files: [1] })
		const page = new Page(tab)
		await sleep(150)
		await say(tab, { do: 'get', files: [2] })
		await sleep(150)
		same([browser.windows.created, page.head.contacts.map(c => c.files)], [1, [[2]]], 'windows, files')
		popup = async () => true
	},
})
}
