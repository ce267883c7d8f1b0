// The popup of the button: the question about each host, the progress, and the saved files. No mail can
// draw here.

'use strict'

const at = id => document.getElementById(id)
const files = []
const rows = new Map() // by the number of a file
let head = null
let port = null
let drawn = ''
let system = '' // the name of this one in installs

// The lines that install the program.
const PACKAGE = 'github.com/go-extbody/extbody/examples/extbody@latest'
const installs = [
	['linux', 'Linux', `go install ${PACKAGE} && "$(go env GOPATH)/bin/extbody" native --install thunderbird`],
	['mac', 'macOS', `go install ${PACKAGE} && "$(go env GOPATH)/bin/extbody" native --install thunderbird`],
	['win', 'Windows (PowerShell)', `go install ${PACKAGE}; & "$(go env GOPATH)\\bin\\extbody.exe" native --install thunderbird`],
]

function button(text, request, attributes = {}) {
	const b = element('button', { type: 'button', ...attributes }, text)
	b.addEventListener('click', event => {
		if (event.isTrusted) port.postMessage(request)
	})
	return b
}

// A question takes no agreement for this long after it is drawn, in milliseconds: a press that was meant
// for something else, which was there before, agrees to nothing.
const PAUSE = 500

// agree returns a button that agrees to a contact.
function agree(text, request, attributes = {}) {
	const b = button(text, request, { disabled: true, ...attributes })
	setTimeout(() => { b.disabled = false }, PAUSE)
	return b
}

// problem says why there are no files to be had, and the way out.
function problem() {
	const again = button('Try again', { do: 'again' })
	switch (head.phase) {
	case 'missing':
	case 'moved': {
		const mine = installs.filter(i => i[0] === system)
		const others = installs.filter(i => i[0] !== system)
		const list = element('dl')
		for (const [, name, text] of [...mine, ...others]) list.append(element('dt', {}, name), element('dd', {}, element('code', {}, text)))
		const why = head.phase === 'missing' ? 'The program extbody is not installed. It looks for the files, and gets them.'
			: 'The program extbody cannot be run: it was moved or removed. Install it again:'
		return [element('p', {}, why), list, element('div', { class: 'buttons' }, again)]
	}
	case 'old':
		return [element('p', {}, `This version of the program does not fit the extension: ${head.text}`), again]
	case 'ended':
		return [element('p', {}, `The program extbody ended: ${head.text}`), again]
	case 'refused':
	case 'unreadable':
		return [element('p', {}, head.text)]
	case 'none':
		return [element('p', {}, 'No single message is shown.')]
	case 'reading':
		return [element('p', {}, 'The message is read.')]
	}
	if (head.total) return []
	const isPartial = head.encrypted || head.unread.length > 0
	return [element('p', {}, isPartial ? 'No files were found.' : 'The message points at no files.')]
}

// question returns the question about a contact.
function question(contact) {
	const buttons = element('div', { class: 'buttons' })
	const section = element('section', { tabindex: -1, 'aria-label': contact.local ? 'In the message' : contact.host }, element('p', {}, contact.summary), buttons)
	if (!contact.secure && !contact.local) {
		section.className = 'plain'
		section.insertBefore(element('p', {}, 'Not encrypted: others on the way can read and change it.'), buttons)
	}
	if (contact.agreed) section.insertBefore(element('p', {}, `Agreed by ${contact.agreed}.`), buttons)
	const get = { do: 'get', plan: contact.plan }
	switch (contact.state) {
	case 'running':
		buttons.append(button('Cancel', { do: 'refuse', plan: contact.plan }))
		break
	case 'asks':
		section.prepend(element('h2', {}, `The host leads to another one: ${contact.host}`))
		// fall through
	default:
		buttons.append(agree('Get', get, { class: 'first' }))
		if (contact.keeps && !contact.agreed) buttons.append(agree('Always for this host (encrypted)', { ...get, always: true }))
		buttons.append(button('Cancel', { do: 'refuse', plan: contact.plan }))
	}
	return section
}

function row(file) {
	const state = element('p', { class: 'state' })
	const bar = element('progress', { 'aria-label': file.name, max: 100 })
	const buttons = element('div', { class: 'buttons' })
	const about = [file.size, file.kind, file.host, ...file.notes ?? []].filter(t => t && t !== '-').join(' · ')
	at('files').append(element('li', {}, element('p', { class: 'name' }, file.name), element('p', { class: 'about' }, about), bar, state, buttons))
	return { state, bar, buttons }
}

function drawFile(file) {
	if (!rows.has(file.number)) rows.set(file.number, row(file))
	const { state, bar, buttons } = rows.get(file.number)
	const saved = file.state === 'saved'
	let text = saved ? `saved as ${file.saved}${file.notes?.length ? ` (${file.notes.join(', ')})` : ''}` : stateOf(file)
	if (saved && file.opened) text += '. ' + file.opened
	update(state, text)
	bar.hidden = file.state !== 'coming' && file.state !== 'waiting'
	if (percent(file) !== undefined) bar.value = percent(file)
	const wanted = saved ? 'saved' : file.state === 'failed' ? 'failed' : ''
	if (buttons.dataset.shows === wanted) return
	buttons.dataset.shows = wanted
	buttons.replaceChildren()
	if (saved) {
		buttons.append(button('Open', { do: 'show', file: file.number }, { 'aria-label': `Open: ${file.name}` }),
			button('Show in folder', { do: 'reveal', file: file.number }, { 'aria-label': `Show in folder: ${file.name}` }))
	} else if (wanted) {
		buttons.append(button('Ask again', { do: 'plan', files: [file.number] }, { 'aria-label': `Ask again: ${file.name}` }))
	}
}

function draw() {
	const asked = head.contacts.filter(c => !c.refused && c.state !== 'done' && c.state !== 'failed')
	const key = JSON.stringify([head.phase, head.text, head.total, head.more, head.encrypted, head.unread, asked])
	if (key !== drawn) {
		drawn = key
		at('problem').replaceChildren(...problem())
		at('contacts').replaceChildren(...asked.map(question))
		// A question has the focus, and none of its answers: a key that was meant for something else agrees to nothing.
		if (document.activeElement === document.body) at('contacts').firstElementChild?.focus()
		at('more').replaceChildren(...head.total > files.length ? [button(`Show all ${head.total}`, { do: 'all' })] : [])
	}
	for (const file of files) drawFile(file)
	const notes = [...head.encrypted ? ['encrypted: not looked into'] : [], ...head.unread]
	update(at('notes'), notes.join('; '))
	const saved = files.filter(f => f.state === 'saved').length
	const failed = files.filter(f => f.state === 'failed').length
	const parts = []
	if (saved) parts.push(`${saved} saved in ${head.folder}`)
	if (failed) parts.push(`${failed} not saved`)
	update(at('status'), parts.join(', '))
}

function take(change) {
	const other = change.head.message !== head?.message || change.head.total !== head?.total
	if (other || head?.phase === 'reading' || change.head.phase === 'reading') {
		files.length = 0
		rows.clear()
		at('files').replaceChildren()
	}
	head = change.head
	for (const file of change.files) files[file.number - 1] = file
	draw()
}

async function start() {
	let tab = new URLSearchParams(location.search).get('tab')
	if (!tab) {
		const [active] = await browser.tabs.query({ active: true, currentWindow: true })
		tab = active.id
	}
	system = (await browser.runtime.getPlatformInfo().catch(() => ({}))).os
	port = browser.runtime.connect({ name: String(tab) })
	port.onMessage.addListener(take)
}

start()
