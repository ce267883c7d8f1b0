'use strict'

{
const port = { onMessage: event(), posted: [], postMessage: q => port.posted.push(q) }
browser.runtime.connect = () => port
browser.runtime.getPlatformInfo = async () => ({ os: 'linux' })

const state = (message, name, facts = {}) => ({
	head: { message, phase: 'ready', total: 1, contacts: [{ plan: 'p', host: 'h.example', summary: 'learns', secure: true, keeps: true, state: 'new', files: [1] }], unread: [] },
	files: [{ number: 1, name, size: '-', kind: 'PDF', host: 'h.example', state: 'listed', ...facts }],
})
const named = text => [...document.querySelectorAll('button')].find(b => b.textContent === text)

addEventListener('load', () => run({
	async 'a question takes no press that was meant for something else'() {
		port.onMessage.emit(state(1, 'one.pdf'))
		await sleep(20)
		same([named('Get').disabled, named('Always for this host (encrypted)').disabled, named('Cancel').disabled], [true, true, false], 'disabled at first')
		await sleep(600)
		same([named('Get').disabled, named('Always for this host (encrypted)').disabled], [false, false], 'disabled later')
	},
	async 'a click of a script is no press'() {
		named('Get').click()
		same(port.posted, [], 'requests')
	},
	async 'another message has other names'() {
		port.onMessage.emit(state(2, 'two.pdf'))
		await sleep(20)
		same([...document.querySelectorAll('.name')].map(e => e.textContent), ['two.pdf'], 'names')
	},
	async 'a file that was saved without notes'() {
		port.onMessage.emit(state(2, 'two.pdf', { state: 'saved', saved: 'two.pdf' }))
		await sleep(20)
		same(document.querySelector('.state').textContent, 'saved as two.pdf', 'state')
	},
	async 'mail that could not be looked into is not mail without files'() {
		const none = (message, facts) => ({ head: { message, phase: 'ready', total: 0, contacts: [], unread: [], ...facts }, files: [] })
		const words = { 3: 'The message points at no files.', 4: 'No files were found.', 5: 'No files were found.' }
		for (const state of [none(3, {}), none(4, { encrypted: true }), none(5, { unread: ['1 part'] })]) {
			port.onMessage.emit(state)
			await sleep(20)
			same(document.getElementById('problem').textContent, words[state.head.message], 'words')
		}
	},
}))
}
