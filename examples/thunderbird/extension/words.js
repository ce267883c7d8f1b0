// The words for states, which the strip and the popup share.

'use strict'

const units = ['octets', 'KB', 'MB', 'GB', 'TB']

// amount returns a number of octets for people.
function amount(octets) {
	let unit = 0
	while (octets >= 1000 && unit < units.length - 1) {
		octets /= 1000
		unit++
	}
	return `${unit && octets < 10 ? octets.toFixed(1) : Math.round(octets)} ${units[unit]}`
}

// percent returns how much of a file is there, or nothing if its size is not known.
function percent(file) {
	return file.of ? Math.min(100, Math.floor(100 * file.octets / file.of)) : undefined
}

// stateOf returns the state of a file in words.
function stateOf(file) {
	switch (file.state) {
	case 'waiting': return 'asking the host'
	case 'coming': {
		const done = percent(file)
		const rate = file.rate ? `, ${amount(file.rate)}/s` : ''
		return (done === undefined ? amount(file.octets) : `${done} %`) + rate
	}
	case 'saved': return 'saved'
	case 'refused': return 'refused: ' + file.reason
	case 'failed': return 'not saved: ' + file.reason
	}
	return 'not asked'
}

// element returns an element with attributes and children. A text is never read as HTML.
function element(name, attributes = {}, ...children) {
	const e = document.createElement(name)
	for (const [key, value] of Object.entries(attributes)) {
		if (value !== undefined && value !== false) e.setAttribute(key, value === true ? '' : value)
	}
	e.append(...children.filter(c => c !== undefined && c !== null))
	return e
}

// update changes a text where it differs, so that a screen reader reads changes alone.
function update(e, text) {
	if (e.textContent !== text) e.textContent = text
}
