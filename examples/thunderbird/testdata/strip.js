'use strict'

{
let root
const attach = Element.prototype.attachShadow
Element.prototype.attachShadow = function (options) { return root = attach.call(this, options) }

const state = (message, ...names) => ({
	head: { message, phase: 'ready', total: names.length, unread: [] },
	files: names.map((name, i) => ({ number: i + 1, name, size: '-', host: 'h.example', state: 'listed' })),
})
browser.runtime.sendMessage = () => sleep(20).then(() => state(2, 'own.pdf'))

addEventListener('load', () => run({
	async 'the state of another message is not shown'() {
		browser.runtime.onMessage.emit(state(1, 'early.pdf', 'two.pdf'))
		await sleep(50)
		browser.runtime.onMessage.emit(state(1, 'late.pdf', 'two.pdf'))
		await sleep(10)
		same([...root.querySelectorAll('.name')].map(e => e.textContent), ['own.pdf'], 'names')
		const change = state(2, 'own.pdf')
		change.files[0].state = 'saved'
		browser.runtime.onMessage.emit(change)
		await sleep(10)
		same(root.querySelector('.state').textContent, 'saved', 'state')
	},
	async 'all files are offered while one is left'() {
		const offered = () => [...root.querySelectorAll('button')].filter(b => b.textContent === 'Get all 2').length
		const change = state(2, 'one.pdf', 'two.pdf')
		browser.runtime.onMessage.emit(change)
		await sleep(10)
		same(offered(), 1, 'offers')
		for (const file of change.files) file.state = 'saved'
		browser.runtime.onMessage.emit(change)
		await sleep(10)
		same(offered(), 0, 'offers')
	},
}))
}
