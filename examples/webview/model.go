package main

import (
	"context"
	"html/template"
	"net/http"
	"sync"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// maxJobs is how many bodies are kept, or are being opened. The oldest is dropped
// first.
const maxJobs = 64

// A Server shows messages and opens the bodies that they refer to. It is safe for
// concurrent use after all messages are added.
type Server struct {
	// Hosts are the names, with ports, by which browsers may call the server, in
	// addition to the loopback interface. Other names are refused: a site that
	// points its own name to our address must not read the pages.
	Hosts []string

	fetcher  fetch.Fetcher
	messages []*letter
	pages    *template.Template
	handler  http.Handler

	mu   sync.Mutex
	jobs []*job // the oldest first
}

// A letter is a message and the bodies that it refers to.
type letter struct {
	Number        int
	From, Subject string
	Date          time.Time // zero if it has none
	message       *externalbody.Message
	Bodies        []*body
}

// A body has one or several references.
type body struct {
	Letter *letter
	Number int
	alts   []*externalbody.Reference
}

// A job opens one body.
type job struct {
	Token  string // a secret in the URL
	body   *body
	cancel context.CancelFunc
	done   chan struct{} // closed at the end

	mu       sync.Mutex
	agreed   []string // IDs of Plans that were shown and agreed to
	event    fetch.Event
	question *question // waits for an answer
	spool    *externalbody.Spool
	err      error
}

// A question is a Plan without an agreement.
type question struct {
	plan   *externalbody.Plan
	answer chan bool // has room for one answer, the first
}
