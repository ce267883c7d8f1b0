-- rspamd: asks extbody serve about the files that a message refers to.
--
-- Put this file into /etc/rspamd, the line dofile("/etc/rspamd/extbody.lua") into
-- /etc/rspamd/rspamd.local.lua, and into /etc/rspamd/rspamd.conf.local:
--
--   extbody { url = "http://127.0.0.1:8025/v1/check"; wait = "300ms"; timeout = 4.0; }
--
-- url may be a list: a message is submitted to one of the servers, and the question goes to
-- the same one, or to the next if that gave no answer.
--
-- The prefilter submits the message, so that fetching goes on while the other rules
-- work. The postfilter asks what is known by then. Whatever fails gives the symbol
-- EXTBODY_FAIL, and the message goes on. Where rspamd is a milter, the plugin adds the
-- header field X-Extbody if the message refers to files, and removes those with which
-- the message came. There it also carries out action = "subject" and "copy". Elsewhere
-- the message passes, as with action = "tag".
--
-- A symbol has a score only if a rule of the policy acted on the message: in the modes
-- shadow and tag, and for the actions none, tag and inline, the scores are 0.
--
-- action = "quarantine" and "hold" need an action quarantine in rspamd, which holds messages
-- only where rspamd is a milter. In /etc/rspamd/local.d/actions.conf:
--
--   quarantine { flags = ["no_threshold"]; }
--
-- An action with a threshold does as well. Without it the message is rejected, and the log
-- has a line about that when the plugin is loaded.

local rspamd_http = require "rspamd_http"
local rspamd_logger = require "rspamd_logger"
local rspamd_util = require "rspamd_util"
local lua_mime = require "lua_mime"
local lua_util = require "lua_util"
local ucl = require "ucl"

local N = "extbody"
local FIELD = "X-Extbody"
local opts = rspamd_config:get_all_opt(N)
if not opts or not opts.url then
  rspamd_logger.infox(rspamd_config, "%s: no url, the module is off", N)
  return
end

local urls = type(opts.url) == "table" and opts.url or { opts.url }
local next_url = 0
-- rspamd has no function that names an action without a threshold. A result with an action
-- that is not there is an error, and the message would pass.
local quarantine = (rspamd_config:get_all_opt("actions") or {}).quarantine
local can_quarantine = type(quarantine) == "table" or type(quarantine) == "number"
if not can_quarantine then
  rspamd_logger.warnx(rspamd_config, "%s: there is no action quarantine in rspamd: such messages are rejected", N)
end

local wait = opts.wait or "300ms"
local timeout = tonumber(opts.timeout) or 4.0
local symbols = {
  EXTBODY_CLEAN = -0.1,
  EXTBODY_PENDING = 0.0,
  EXTBODY_MALWARE = 15.0,
  EXTBODY_MISMATCH = 4.0,
  EXTBODY_UNAVAILABLE = 0.0,
  EXTBODY_ENCRYPTED = 0.0,
  EXTBODY_FAIL = 0.0,
}

-- Fields of a request must not have line ends.
local function clean(s)
  return (tostring(s):gsub("[%c]", ""))
end

local function ask(task, url, how_long, callback)
  local headers = { ["Queue-Id"] = clean(task:get_queue_id() or "") }
  local from = task:get_from("smtp")
  if from and from[1] then headers["From"] = clean(from[1].addr) end
  local rcpts = {}
  for _, r in ipairs(task:get_recipients("smtp") or {}) do rcpts[#rcpts + 1] = clean(r.addr) end
  if #rcpts > 0 then headers["Rcpt"] = table.concat(rcpts, ", ") end
  local user = task:get_user()
  if user then headers["User"] = clean(user) end
  local ip = task:get_from_ip()
  if ip and ip:is_valid() then headers["IP"] = ip:to_string() end
  return rspamd_http.request({
    task = task,
    url = url .. "?wait=" .. how_long .. (task:has_flag("milter") and "&can=subject,copy" or ""),
    method = "POST",
    body = task:get_content(),
    headers = headers,
    mime_type = "message/rfc822",
    timeout = timeout,
    callback = callback,
  })
end

-- Returns the answer, or nil and why there is no answer.
local function read(err, code, body)
  if err then return nil, err end
  if code ~= 200 then return nil, "status " .. tostring(code) end
  local parser = ucl.parser()
  local ok, perr = parser:parse_string(tostring(body))
  if not ok then return nil, perr end
  return parser:get_object()
end

local function submit(task)
  next_url = next_url % #urls + 1
  task:cache_set("extbody_url", next_url)
  ask(task, urls[next_url], "0s", function(err, code, body)
    local answer, why = read(err, code, body)
    if not answer then
      task:cache_set("extbody_fail", tostring(why))
    elseif #(answer.refs or {}) == 0 and #(answer.unread or {}) == 0 and not answer.failure then
      task:cache_set("extbody_none", true)
    end
  end)
end

-- Returns the value of the field Subject of a message in base64, in one line.
local function subject_of(message)
  local text = tostring(rspamd_util.decode_base64(message))
  local head = (text:match("^(.-)\r?\n\r?\n") or text):gsub("\r?\n([ \t])", "%1")
  for line in head:gmatch("[^\r\n]+") do
    local value = line:match("^[Ss][Uu][Bb][Jj][Ee][Cc][Tt][ \t]*:[ \t]*(.*)$")
    if value then return value end
  end
end

-- Removes the header fields of our name with which the message came, and adds ours, and replaces the Subject
-- if there is another one.
local function stamp(task, value, subject)
  local add, remove = {}, { [FIELD] = 0 }
  if subject then
    add["Subject"] = { value = lua_util.fold_header(task, "Subject", subject), order = 1 }
    remove["Subject"] = 0
  end
  if value then
    add[FIELD] = { value = lua_util.fold_header(task, FIELD, value, ";"), order = 1 }
  end
  lua_mime.modify_headers(task, { add = add, remove = remove })
end

local function act(task, answer)
  stamp(task, answer.header, answer.message and subject_of(answer.message))
  if answer.copies then task:set_milter_reply({ add_rcpt = answer.copies }) end
  if answer.action == "hold" then answer.action = "quarantine" end
  local acts = answer.action == "reject" or answer.action == "defer" or answer.action == "quarantine"
  for _, s in ipairs(answer.symbols or {}) do
    if symbols[s] then task:insert_result(s, acts and 1.0 or 0.0, answer.rule or answer.verdict) end
  end
  if answer.action == "reject" then
    task:set_pre_result("reject", "the message refers to a file that is not let in", N)
  elseif answer.action == "defer" then
    task:set_pre_result("soft reject", "the linked files are being looked at, try again later", N)
  elseif answer.action == "quarantine" then
    task:set_pre_result(can_quarantine and "quarantine" or "reject", "a linked file is to be looked at", N)
  end
end

local function answer(task)
  if task:cache_get("extbody_none") then
    stamp(task)
    return
  end
  local at = task:cache_get("extbody_url") or 1
  local failed = task:cache_get("extbody_fail")
  if failed then
    if #urls == 1 then
      stamp(task)
      task:insert_result("EXTBODY_FAIL", 1.0, failed)
      return
    end
    at = at % #urls + 1
  end
  ask(task, urls[at], wait, function(err, code, body)
    local a, why = read(err, code, body)
    if a then
      act(task, a)
    else
      stamp(task)
      task:insert_result("EXTBODY_FAIL", 1.0, tostring(why))
    end
  end)
end

rspamd_config:register_symbol({ name = "EXTBODY_SUBMIT", type = "prefilter", callback = submit, priority = 5, flags = "empty,nostat" })
local id = rspamd_config:register_symbol({ name = "EXTBODY_CHECK", type = "postfilter", callback = answer, priority = 5, flags = "empty,nostat" })
for name, score in pairs(symbols) do
  rspamd_config:register_symbol({ name = name, type = "virtual", parent = id, score = score, group = N })
end
