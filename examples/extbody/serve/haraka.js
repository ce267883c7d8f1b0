'use strict'
// Haraka: asks extbody serve about the files that a message refers to.
//
// Put this file as extbody.js into the folder plugins of your Haraka. Put the line extbody
// into config/plugins, before the plugins that queue. Put into config/extbody.ini:
//
//   url=http://127.0.0.1:8025/v1/check
//   wait=300ms
//   timeout=4
//
// Whatever fails, the message passes, and the log says so. The plugin adds the header
// field X-Extbody if a message refers to files, and removes those with which the message
// came. action = "quarantine" and "hold" need the plugin queue/quarantine before the plugins
// that queue. Otherwise such a message is rejected, and the log says so when Haraka starts.
// action = "subject" puts the field Subject anew after the others.

const http = require('node:http')

const FIELD = 'X-Extbody'

exports.register = function () {
  const load = () => {
    this.cfg = { wait: '300ms', timeout: 4, ...this.config.get('extbody.ini', load).main }
  }
  load()
  if (!this.cfg.url) throw new Error('extbody.ini has no url')
  // A plugin that queues before it would deliver the message.
  const queues = this.config.get('plugins', 'list').filter((name) => /^(haraka-plugin-)?queue/.test(name))
  this.holds = queues[0] === 'queue/quarantine'
  if (!this.holds) this.logwarn('queue/quarantine is not before the plugins that queue: messages to hold are rejected')
}

exports.hook_data_post = function (next, connection) {
  const txn = connection?.transaction
  if (!txn) return next()
  removeOurs(txn)

  let open = true
  const done = (...answer) => {
    if (!open) return
    open = false
    clearTimeout(late)
    txn.message_stream.unpipe()
    req.destroy()
    next(...answer)
  }
  const pass = (why) => {
    if (open) connection.logerror(this, `the message passes: ${why}`)
    done()
  }
  const late = setTimeout(() => pass('no answer in time'), this.cfg.timeout * 1000)
  const req = http.request(`${this.cfg.url}?wait=${this.cfg.wait}&can=subject,copy`, { method: 'POST', headers: envelope(connection) }, (res) => {
    let body = ''
    res.setEncoding('utf8')
    res.on('data', (piece) => { body += piece })
    res.on('error', (err) => pass(err.message))
    res.on('end', () => {
      if (res.statusCode !== 200) return pass(`status ${res.statusCode}`)
      let answer
      try {
        answer = JSON.parse(body)
      } catch (err) {
        return pass(err.message)
      }
      if (open) act(done, txn, answer, this.holds)
    })
  })
  req.on('error', (err) => pass(err.message))
  txn.message_stream.pipe(req)
}

// act does what the answer says.
function act (done, txn, answer, holds) {
  const hold = answer.action === 'quarantine' || answer.action === 'hold'
  switch (hold && !holds ? 'reject' : answer.action) {
    case 'reject':
      return done(DENY, 'The message refers to a file that is not let in')
    case 'defer':
      return done(DENYSOFT, 'The files that the message refers to are being looked at, try again later')
    case 'quarantine':
    case 'hold':
      txn.notes.quarantine = 1
      // It is not queued as well. If it could not be written it comes again.
      Object.defineProperty(txn.notes, 'quarantine_action', {
        get: () => txn.notes.quarantined ? [OK, 'Held'] : [DENYSOFT, 'The message could not be held'],
      })
  }
  if (answer.message) {
    txn.remove_header('Subject')
    txn.add_header('Subject', subjectOf(Buffer.from(answer.message, 'base64').toString(txn.encoding)))
  }
  for (const to of answer.copies ?? []) txn.rcpt_to.push(new txn.rcpt_to[0].constructor(`<${to}>`))
  // A line for each reference: lines must not have more than 998 octets.
  if (answer.header) txn.add_leading_header(FIELD, answer.header.replaceAll('; ref=', ';\n\tref='))
  done()
}

// subjectOf returns the value of the field Subject of a message, which has one.
function subjectOf (message) {
  const head = message.split(/\r?\n\r?\n/, 1)[0]
  return /^subject[ \t]*:[ \t]*(.*(?:\r?\n[ \t].*)*)/im.exec(head)[1].replaceAll('\r\n', '\n')
}

// envelope returns the fields of the question.
function envelope (connection) {
  const txn = connection.transaction
  // Characters beyond ASCII are sent as UTF-8. No control character is sent.
  const field = (s) => Buffer.from(String(s ?? '').replace(/[\x00-\x1f\x7f]/g, ''), 'utf8').toString('latin1')
  return {
    'Content-Type': 'message/rfc822',
    From: field(txn.mail_from?.format()),
    Rcpt: txn.rcpt_to.map((to) => field(to.format())),
    User: field(connection.notes.auth_user),
    IP: field(connection.remote.ip),
    'Queue-Id': field(txn.uuid),
  }
}

// removeOurs removes the header fields of our name with which the message came.
function removeOurs (txn) {
  const list = txn.header.header_list
  for (let i = list.length - 1; i >= 0; i--) {
    if (/^x-extbody[ \t]*:/i.test(list[i])) list.splice(i, 1)
  }
  txn.remove_header(FIELD)
}
