package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine bounds a line of a client, in octets. An agent names messages and references.
const maxLine = 1 << 20

// A lines is a transport of one message of JSON-RPC a line. It answers a line without a
// message, and goes on: a client that made one mistake keeps its session. The lists of
// messages that version 2025-03-26 has are read as their messages.
type lines struct {
	in  io.Reader
	out io.Writer
}

// Connect implements [sdk.Transport].
func (t lines) Connect(context.Context) (sdk.Connection, error) {
	c := &connection{out: t.out, failure: io.EOF, messages: make(chan jsonrpc.Message), closed: make(chan struct{})}
	go c.read(bufio.NewReaderSize(t.in, maxLine))
	return c, nil
}

// A connection is the connection with the client.
type connection struct {
	messages chan jsonrpc.Message // closed at the end of the input
	failure  error                // of the input, when messages is closed

	mu  sync.Mutex
	out io.Writer // guarded by mu

	once   sync.Once
	closed chan struct{}
}

// read reads lines until the input ends or the connection is closed. A line without an end
// counts if the input ends there.
func (c *connection) read(r *bufio.Reader) {
	defer close(c.messages)
	for {
		line, err := r.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			for err == bufio.ErrBufferFull {
				_, err = r.ReadSlice('\n')
			}
			line = []byte("too long") // which is not JSON
		}
		line = bytes.TrimSpace(line)
		if len(line) > 0 && !c.line(line) {
			return
		}
		if err != nil {
			c.failure = err
			return
		}
	}
}

// line passes the messages of a line on, and answers anything else. It reports false if
// the connection is closed.
func (c *connection) line(line []byte) bool {
	if !json.Valid(line) {
		const text = "parse error: want one message of JSON-RPC in each line, of at most 1 MiB"
		return c.answer(nil, jsonrpc.CodeParseError, text) == nil
	}
	list := []json.RawMessage{line}
	if line[0] == '[' {
		if err := json.Unmarshal(line, &list); err != nil || len(list) == 0 {
			return c.answer(nil, jsonrpc.CodeInvalidRequest, "invalid request: the list is empty") == nil
		}
	}
	for _, one := range list {
		// The decoder keeps pieces of its input.
		msg, err := jsonrpc.DecodeMessage(bytes.Clone(one))
		if err != nil {
			if c.answer(idOf(one), jsonrpc.CodeInvalidRequest, "invalid request") != nil {
				return false
			}
			continue
		}
		select {
		case c.messages <- msg:
		case <-c.closed:
			return false
		}
	}
	return true
}

// idOf returns the id of a message that is not valid, or nil if it has none.
func idOf(message []byte) json.RawMessage {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	err := json.Unmarshal(message, &m)
	if err != nil || len(m.ID) == 0 || strings.IndexByte(`"-0123456789`, m.ID[0]) < 0 {
		return nil
	}
	return m.ID
}

// answer writes the error of a line. A nil id is null (JSON-RPC 2.0 section 5).
func (c *connection) answer(id json.RawMessage, code int, text string) error {
	type fault struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	b, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   fault           `json:"error"`
	}{"2.0", id, fault{code, text}})
	if err != nil {
		return err
	}
	return c.write(b)
}

// Read implements [sdk.Connection].
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg, ok := <-c.messages:
		if !ok {
			return nil, c.failure
		}
		return msg, nil
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write implements [sdk.Connection].
func (c *connection) Write(ctx context.Context, msg jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	b, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	return c.write(b)
}

func (c *connection) write(b []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.out.Write(append(b, '\n'))
	return err
}

// Close implements [sdk.Connection].
func (c *connection) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// SessionID implements [sdk.Connection].
func (c *connection) SessionID() string { return "" }

// The versions of the protocol in which a question to the user is possible, and in which it is
// the result of a call: the client calls again with the answer (SEP-2322). In versions
// before that the server asks while it serves the call.
const (
	askFirst = "2025-06-18"
	askLater = "2026-07-28"
)

var errDiscover = &jsonrpc.Error{
	Code:    jsonrpc.CodeMethodNotFound,
	Message: "this session was initialized: it stays at the version that was agreed on",
}

// A version remembers the version that a session agreed on by initialize; "" without that.
type version struct {
	mu     sync.Mutex
	agreed string
}

// of returns the version of a session. The version in a single request does not count.
func (v *version) of(session *sdk.ServerSession) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.agreed != "" {
		return v.agreed
	}
	if p := session.InitializeParams(); p != nil {
		return p.ProtocolVersion // by server/discover, or by the first request
	}
	return ""
}

// middleware makes the version that the server agrees to the version of the session. QUIRK:
// the SDK keeps the one that the client wished for.
func (v *version) middleware(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		switch method {
		case "server/discover":
			v.mu.Lock()
			agreed := v.agreed
			v.mu.Unlock()
			if agreed != "" {
				return nil, errDiscover
			}
		case "initialize":
			return v.initialize(ctx, next, req)
		}
		return next(ctx, method, req)
	}
}

func (v *version) initialize(ctx context.Context, next sdk.MethodHandler, req sdk.Request) (sdk.Result, error) {
	p, ok := req.GetParams().(*sdk.InitializeParams)
	if !ok {
		return nil, errors.New("initialize has no parameters")
	}
	if newest := newestInitialized(p.ProtocolVersion); newest != "" {
		p.ProtocolVersion = newest
	}
	res, err := next(ctx, "initialize", req)
	if r, ok := res.(*sdk.InitializeResult); ok && err == nil {
		v.mu.Lock()
		v.agreed = r.ProtocolVersion
		v.mu.Unlock()
	}
	return res, err
}

// newestInitialized returns the newest version that a client can initialize, if that is not the
// one that it wishes for.
func newestInitialized(wish string) string {
	newest := ""
	for _, v := range sdk.SupportedProtocolVersions() {
		if v == wish && v < askLater {
			return ""
		}
		if v < askLater && v > newest {
			newest = v
		}
	}
	return newest
}
