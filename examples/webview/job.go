package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/webbody"
	"github.com/go-extbody/extbody/fetch"
)

// open starts to open a body. With it the reader agrees to the Plans that were shown.
func (s *Server) open(w http.ResponseWriter, r *http.Request) {
	l := s.letter(r)
	n, err := strconv.Atoi(r.PathValue("body"))
	if l == nil || err != nil {
		http.NotFound(w, r)
		return
	}
	if n < 0 || n >= len(l.Bodies) {
		http.NotFound(w, r)
		return
	}
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form cannot be read", http.StatusBadRequest)
		return
	}
	j := s.start(l.Bodies[n], r.PostForm["plan"])
	http.Redirect(w, r, "/job/"+j.Token, http.StatusSeeOther)
}

// openAll starts to open several bodies of a message. With it the reader agrees to the Plans that were shown.
func (s *Server) openAll(w http.ResponseWriter, r *http.Request) {
	l := s.letter(r)
	if l == nil {
		http.NotFound(w, r)
		return
	}
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form cannot be read", http.StatusBadRequest)
		return
	}
	var list []*body
	for _, text := range r.PostForm["body"] {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n >= len(l.Bodies) {
			http.NotFound(w, r)
			return
		}
		if b := l.Bodies[n]; !slices.Contains(list, b) {
			list = append(list, b)
		}
	}
	if len(list) > maxCard {
		http.Error(w, "these are too many files at once", http.StatusBadRequest)
		return
	}
	for _, b := range list {
		s.start(b, r.PostForm["plan"])
	}
	http.Redirect(w, r, "/m/"+strconv.Itoa(l.Number), http.StatusSeeOther)
}

// start opens a body in the background.
func (s *Server) start(b *body, agreed []string) *job {
	ctx, cancel := context.WithCancel(context.Background())
	j := &job{Token: rand.Text(), body: b, cancel: cancel, done: make(chan struct{}), agreed: agreed}
	j.event.Total = -1
	s.mu.Lock()
	s.jobs = append(s.jobs, j)
	var old *job
	if len(s.jobs) > maxJobs {
		old = s.jobs[0]
		s.jobs = slices.Delete(s.jobs, 0, 1)
	}
	s.mu.Unlock()
	if old != nil {
		old.close()
	}
	go func() {
		defer close(j.done)
		r := &externalbody.Resolver{Fetcher: s.fetcher, Approve: j.approve, Progress: j.note}
		spool, err := r.SaveSpool(ctx, b.alts, "")
		j.mu.Lock()
		defer j.mu.Unlock()
		j.spool = spool
		j.err = err
	}()
	return j
}

// approve accepts the Plans that were agreed to, and asks about all others.
func (j *job) approve(ctx context.Context, p *externalbody.Plan) error {
	j.mu.Lock()
	if p.Local() || slices.Contains(j.agreed, p.ID) {
		j.mu.Unlock()
		return nil
	}
	q := &question{p, make(chan bool, 1)}
	j.question = q
	j.mu.Unlock()
	select {
	case yes := <-q.answer:
		if yes {
			return nil
		}
		return errors.New("you said no")
	case <-ctx.Done():
		j.mu.Lock()
		defer j.mu.Unlock()
		j.question = nil
		return context.Cause(ctx)
	}
}

// note records the progress.
func (j *job) note(_ *externalbody.Reference, e fetch.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.event = e
}

// close ends the job and removes the body.
func (j *job) close() {
	j.cancel()
	<-j.done
	if j.spool != nil {
		j.spool.Close()
	}
}

// ofJob answers requests about a job.
func (s *Server) ofJob(answer func(*job, http.ResponseWriter, *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if j := s.find(func(j *job) bool { return j.Token == r.PathValue("job") }); j != nil {
			answer(j, w, r)
			return
		}
		http.NotFound(w, r)
	}
}

// find returns the newest job for which is reports true, or nil.
func (s *Server) find(is func(*job) bool) *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range slices.Backward(s.jobs) {
		if is(j) {
			return j
		}
	}
	return nil
}

// progress shows the progress of a job, its question, or its result. Only the frame in
// the page is loaded again and again, so that the page keeps the focus.
func (s *Server) progress(j *job, w http.ResponseWriter, r *http.Request) {
	v := j.view()
	page := "job.html"
	if r.PathValue("frame") != "" {
		page = "progress.html"
		if v.Running && v.Question == nil {
			w.Header().Set("Refresh", "1")
		}
	}
	s.render(w, http.StatusOK, page, v)
}

// answer gives the reader's answer to the question that was shown.
func (*Server) answer(j *job, w http.ResponseWriter, r *http.Request) {
	j.mu.Lock()
	if q := j.question; q != nil && q.plan.ID == r.PostFormValue("plan") {
		j.question = nil
		q.answer <- r.PostFormValue("answer") == "yes"
	}
	j.mu.Unlock()
	http.Redirect(w, r, "/job/"+j.Token, http.StatusSeeOther)
}

// stop ends a job.
func (*Server) stop(j *job, w http.ResponseWriter, r *http.Request) {
	j.cancel()
	<-j.done
	http.Redirect(w, r, "/job/"+j.Token, http.StatusSeeOther)
}

// serveBody sends a verified body, never in a form that could act in our name.
func (*Server) serveBody(j *job, w http.ResponseWriter, r *http.Request) {
	j.mu.Lock()
	spool := j.spool
	j.mu.Unlock()
	if spool == nil {
		http.NotFound(w, r)
		return
	}
	as := webbody.Inline
	if r.FormValue("save") != "" {
		as = webbody.Attachment
	}
	webbody.ServeSpool(w, r, spool, as)
}

func (j *job) view() *view {
	j.mu.Lock()
	defer j.mu.Unlock()
	v := &view{
		Token: j.Token, Letter: j.body.Letter.Number, Name: title(j.body.alts[0], hostOf(j.body.alts[0])),
		Icon: icon(j.body.alts[0].MediaType), Total: j.event.Total,
	}
	switch {
	case j.spool != nil:
		v.Name = clean(j.spool.FileName, 100)
		v.Icon = icon(j.spool.MediaType)
		v.Size = octets(j.spool.Size())
		v.Verified = j.spool.Report.String()
		v.SHA256 = fmt.Sprintf("%x", j.spool.Report.SHA256)
		contentType, shown := webbody.Shown(j.spool.MediaType)
		v.Picture = shown && strings.HasPrefix(contentType, "image/")
		v.Text = shown && !v.Picture
	case j.err != nil:
		kind := fetch.KindOf(j.err)
		v.Refused = because(kind, fetch.CauseOf(j.err).String())
		if dns, ok := errors.AsType[*net.DNSError](j.err); ok && dns.IsNotFound {
			v.Refused = "There is no host of this name."
		}
		v.Detail = clean(j.err.Error(), 500)
		v.Transient = kind.Transient()
		if errors.Is(j.err, context.DeadlineExceeded) {
			v.Refused = "It took too long."
		}
	default:
		v.Running = true
		v.Phase = string(j.event.Phase)
		v.Octets = j.event.Octets
		v.Far = octets(v.Octets)
		if v.Total > 0 {
			v.Far += " of " + octets(v.Total)
		}
		if j.question != nil {
			v.Question = newWay(j.question.plan, nil)
		}
	}
	return v
}
