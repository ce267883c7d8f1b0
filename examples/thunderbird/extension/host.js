// The program extbody, by native messaging. examples/extbody/schema/native.schema.json has its
// requests and answers.

'use strict'

// The octets of a message that a request has.
const PIECE = 1 << 20

// A Fault is an error with a code that the pages have words for: missing, moved, ended, old or refused.
class Fault extends Error {
	constructor(code, text) {
		super(text)
		this.code = code
	}
}

// A Host is one run of the program, for one message.
class Host {
	constructor() {
		this.calls = new Map()
		this.last = 0
		this.greeted = false
		this.fault = null
		this.port = browser.runtime.connectNative('extbody')
		this.port.onMessage.addListener(answer => this.take(answer))
		this.port.onDisconnect.addListener(port => this.end(port.error))
	}

	// call sends a request, and returns its last answer. The others go to onEvent.
	call(op, fields = {}, onEvent = () => {}) {
		if (this.fault) return Promise.reject(this.fault)
		const id = ++this.last
		return new Promise((resolve, reject) => {
			this.calls.set(id, { resolve, reject, onEvent })
			this.port.postMessage({ id, op, ...fields })
		})
	}

	take(answer) {
		this.greeted = true
		const call = this.calls.get(answer.id)
		if (!call) return
		if (answer.event) {
			call.onEvent(answer)
			return
		}
		this.calls.delete(answer.id)
		if (answer.error) call.reject(new Fault('refused', answer.error))
		else call.resolve(answer)
	}

	// end notes why the program ended. One that ended before its first answer could not be run.
	end(error) {
		let code = this.greeted ? 'ended' : 'moved'
		if (/No such native application/.test(error?.message)) code = 'missing'
		this.fault ??= new Fault(code, error?.message ?? 'the program ended')
		for (const { reject } of this.calls.values()) reject(this.fault)
		this.calls.clear()
	}

	close() {
		this.port.disconnect()
		this.end()
	}

	// hand gives the program a message, in pieces, each after the one before was taken.
	async hand(file) {
		const hello = await this.call('hello')
		if (hello.protocol !== 1) throw new Fault('old', hello.program)
		this.folder = hello.folder
		if (hello.most >= 0 && file.size > hello.most) {
			throw new Fault('refused', 'the message is longer than the setting max-message: it is not looked into')
		}
		for (let at = 0; ; at += PIECE) {
			const last = at + PIECE >= file.size
			const octets = await base64(file.slice(at, at + PIECE))
			await this.call('open', { octets, last })
			if (last) return
		}
	}
}

// base64 returns the octets of a Blob.
function base64(blob) {
	return new Promise((resolve, reject) => {
		const reader = new FileReader()
		reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1))
		reader.onerror = () => reject(reader.error)
		reader.readAsDataURL(blob)
	})
}
