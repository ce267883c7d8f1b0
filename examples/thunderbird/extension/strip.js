// The strip above the text of a message: a line a file. It shows, and a press on it opens the popup, where
// the question is. A mail can hide it or draw another one, and that changes nothing else.

'use strict'

// The rules of the page do not reach into a closed shadow root, and the ones for its host give way to these.
const style = `
:host {
	all: initial !important;
	display: block !important;
	color-scheme: light dark;
	font: 13px/1.5 system-ui, sans-serif !important;
	margin: 0 0 8px !important;
	-moz-user-select: none !important;
	user-select: none !important;
}
@media print { :host { display: none !important } }
section { background: light-dark(#eef3fa, #22303f); color: light-dark(#15141a, #fbfbfe); border: 1px solid light-dark(#8a9bb4, #5b6b80); border-radius: 4px; padding: 4px 8px }
ul { list-style: none; margin: 0; padding: 0 }
li { display: flex; flex-wrap: wrap; align-items: center; gap: 0 8px; padding: 1px 0 }
svg { flex: none; width: 14px; height: 14px; fill: none; stroke: currentColor; stroke-width: 1.5 }
.name { font-weight: 600; overflow-wrap: anywhere }
.host, .size, .state { color: light-dark(#3d3c45, #cfcfd8); overflow-wrap: anywhere }
.state { margin-inline-start: auto }
p { margin: 2px 0 }
button { font: inherit; color: light-dark(#15141a, #fbfbfe); background: light-dark(#fff, #2b2a33); border: 1px solid light-dark(#6b6a75, #8f8f9d); border-radius: 4px; padding: 0 10px; cursor: pointer }
button:focus-visible { outline: 2px solid light-dark(#0060df, #80b0ff); outline-offset: 1px }
`

const lines = new Map() // by the number of a file
let files = []
let head = null // of the message that this page shows
let root = null
let list, notes, more, status

const ask = request => browser.runtime.sendMessage({ message: head?.message, ...request })

// pressed returns a listener that does something when a person presses a button. A click that a script made
// is no press.
const pressed = request => event => {
	if (event.isTrusted) ask(request).catch(() => {}) // the extension was removed or replaced
}

function icon() {
	const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
	svg.setAttribute('viewBox', '0 0 16 16')
	svg.setAttribute('aria-hidden', 'true')
	const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
	path.setAttribute('d', 'M3 1.5h6l4 4v9H3zM9 1.5v4h4')
	svg.append(path)
	return svg
}

function build() {
	const host = document.createElement('div')
	root = host.attachShadow({ mode: 'closed' })
	list = element('ul')
	notes = element('div')
	more = element('p')
	status = element('div', { role: 'status', 'aria-live': 'polite' })
	root.append(element('style', {}, style), element('section', { 'aria-label': 'Files that this message points at' }, list, more, notes, status))
	// Beside the body, the rules of a mail for its body do not count.
	document.documentElement.insertBefore(host, document.body)
}

function line(file) {
	const button = element('button', { type: 'button', 'aria-label': `Get: ${file.name}` }, 'Get')
	button.addEventListener('click', pressed({ do: 'get', files: [file.number] }))
	const state = element('span', { class: 'state' })
	const li = element('li', {}, icon(), element('span', { class: 'name' }, file.name), element('span', { class: 'size' }, file.size === '-' ? '' : file.size),
		element('span', { class: 'host' }, file.host), state, button)
	list.append(li)
	return { state, button }
}

function draw() {
	const noted = []
	if (head.encrypted) noted.push('encrypted: not looked into')
	for (const text of head.unread ?? []) noted.push(text)
	if (head.phase === 'refused' || head.phase === 'unreadable') noted.push(head.text)
	if (!files.length && !noted.length) {
		root?.host.remove()
		root = null
		lines.clear()
		return
	}
	if (!root) build()
	for (const file of files) {
		if (!lines.has(file.number)) lines.set(file.number, line(file))
		const { state, button } = lines.get(file.number)
		update(state, stateOf(file))
		const label = file.state === 'saved' ? 'More' : 'Get'
		if (button.textContent !== label) {
			button.textContent = label
			button.setAttribute('aria-label', `${label}: ${file.name}`)
		}
		button.hidden = file.state === 'refused'
	}
	const rest = head.total - files.length
	const open = rest > 0 || files.some(f => f.state !== 'saved')
	const wanted = files.length > 1 && open ? 'all' : ''
	if (more.dataset.shown !== `${rest} ${wanted}`) {
		more.dataset.shown = `${rest} ${wanted}`
		more.replaceChildren()
		if (wanted) {
			const all = element('button', { type: 'button' }, `Get all ${head.total}`)
			all.addEventListener('click', pressed({ do: 'get' }))
			more.append(all)
		}
		if (rest > 0) {
			const show = element('button', { type: 'button' }, `Show all ${head.total}`)
			show.addEventListener('click', pressed({ do: 'all' }))
			more.append(' ', show)
		}
	}
	notes.replaceChildren(...noted.map(text => element('p', {}, text)))
	const saved = files.filter(f => f.state === 'saved').length
	update(status, saved ? `${saved} of ${head.total} saved` : '')
}

// take takes a state, or a change of it. One of the message before, which the tab showed until now, may
// arrive late.
function take(change) {
	if (!change?.head) return
	if (head && change.head.message !== head.message) return
	head = change.head
	for (const file of change.files) files[file.number - 1] = file
	draw()
}

// The first state is the answer to this page, so that its message is the one of the page.
const first = ask({ do: 'state' }).then(take, () => {})
browser.runtime.onMessage.addListener(change => { first.then(() => take(change)) })
