package house

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/types"
	"io"
	"log/slog"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/dataurl"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/imapbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/externalbody/webbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/mailfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/record"
	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/urlaccess"
)

// handed has a value of each struct that the library hands out, as a pointer.
var handed = []any{
	new(dataurl.Error),
	new(externalbody.Alternatives), new(externalbody.Fields),
	new(externalbody.Diag), new(externalbody.Disclosure), new(externalbody.Entity), new(externalbody.Failure),
	new(externalbody.Field), new(externalbody.Objection), new(externalbody.Origin), new(externalbody.Plan),
	new(externalbody.Reference), new(externalbody.Report), new(externalbody.Token), new(externalbody.UnreadPart),
	new(imapbody.Section),
	new(rewrite.Item), new(rewrite.Load), new(rewrite.Removal), new(rewrite.Report),
	new(webbody.Content),
	new(fetch.Challenge), new(fetch.Check), new(fetch.Conditions), new(fetch.Digest), new(fetch.Error), new(fetch.Event),
	new(fetch.Exchange), new(fetch.Request), new(fetch.Response), new(fetch.Userinfo),
	new(driver.Response),
	new(record.Account), new(record.Answer), new(record.Content), new(record.Dial), new(record.Lookup), new(record.Object), new(record.TLS),
	new(mailfetch.Sent), new(netguard.Error), new(throttle.Host), new(urlaccess.Error),
}

// apart has the other structs, each with the reason.
var apart = map[string]string{
	"dataurl.Stream":        "it has octets and no URL",
	"dataurl.URL":           "the caller has decoded it, and it has octets and no URL",
	"externalbody.Body":     "all of it is unexported; TestNoKeysOfReal has one",
	"externalbody.Consent":  "the caller makes it",
	"externalbody.Dialect":  "the caller makes it, of names and functions",
	"externalbody.Folder":   "the caller makes it",
	"externalbody.Message":  "all of it is unexported; TestNoKeysOfReal has one",
	"externalbody.Resolver": "the caller makes it",
	"externalbody.SIP":      "the caller makes it",
	"externalbody.Spool":    "TestNoKeysOfReal has one",
	"rewrite.Object":        "it has what a Store is to keep, and no URL",
	"rewrite.TextEdit":      "the caller makes it, with a text of the caller",
	"accountfetch.Account":  "the caller makes it, with a function for the token",
	"cache.Cache":           "all of it is unexported",
	"driver.Conn":           "it has a connection",
	"driver.Request":        "a Layer makes it for a Fetcher",
	"driver.Layer":          "the caller makes it",
	"fetchtest.Harness":     "the caller makes it",
	"fetchtest.Object":      "the caller makes it",
	"netguard.Guard":        "the caller makes it",
	"record.Line":           "it is the dialogue itself, as an Exchange has it",
	"throttle.State":        "all of it is unexported",
	"throttle.Throttle":     "all of it is unexported",
	"fetch.Budget":          "all of it is unexported",
	"fetch.BudgetLimits":    "it has numbers",
	"fetch.Mux":             "all of it is unexported",
	"fetch.Timeouts":        "it has times",
	"form.Error":            "it has a place and no text",
	"form.Field":            "it is a value that the caller decodes",
}

// fit are the texts that never hold a URL as a message has it: names, codes, hosts, addresses and types, and URLs that are
// fit for logs already.
var fit = []string{
	"externalbody.Diag.", "externalbody.Disclosure.", "externalbody.Entity.MediaType", "externalbody.Field.Name",
	"externalbody.Objection.", "externalbody.Origin.", "externalbody.Plan.", "externalbody.UnreadPart.", "externalbody.Token.Name",
	"externalbody.Reference.ID", "externalbody.Reference.Dialect", "externalbody.Reference.AccessType", "externalbody.Reference.MediaType",
	"externalbody.Reference.Name", "externalbody.Reference.Provider", "externalbody.Report.MediaType",
	"imapbody.Section.", "rewrite.Item.", "rewrite.Removal.", "rewrite.Report.", "rewrite.Load.Kind", "rewrite.Load.Element", "rewrite.Load.Attr",
	"rewrite.Load.Section", "webbody.Content.", "fetch.Challenge.", "fetch.Check.", "fetch.Conditions.ETag", "fetch.Conditions.LastModified",
	"fetch.Digest.", "fetch.Error.", "fetch.Event.", "fetch.Exchange.Protocol", "fetch.Exchange.By", "fetch.Exchange.Error", "fetch.Request.MediaType",
	"fetch.Request.ShareHosts", "fetch.Response.MediaType", "fetch.Userinfo.", "driver.Response.Codings", "record.", "mailfetch.Sent.", "netguard.Error.", "throttle.Host.", "urlaccess.Error.",
}

// whole are the types whose JSON is a record of all that was on the wire, as their documentation has it.
var whole = map[string]bool{"fetch.Exchange": true}

// canary is a share link. Its key and its id are in nothing that is printed.
const canary = "https://www.dropbox.com/scl/fi/c4n4ryId0fTheL1nk/a.pdf?rlkey=c4n4ryKey0fTheL1nk&dl=0"

// filled puts the canary into each text that may hold a URL.
func filled(v reflect.Value, name string, depth int) {
	if depth > 6 {
		return
	}
	isFit := false
	for _, prefix := range fit {
		isFit = isFit || strings.HasPrefix(name, prefix)
	}
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() && !isFit {
			v.SetString(canary)
		}
	case reflect.Pointer:
		if v.Type() == reflect.TypeFor[*url.URL]() {
			u, _ := url.Parse(canary)
			v.Set(reflect.ValueOf(u))
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		filled(v.Elem(), name, depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		filled(v.Index(0), name, depth+1)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		filled(key, name, depth+1)
		filled(value, name, depth+1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.IsExported() {
				filled(v.Field(i), v.Type().String()+"."+f.Name, depth+1)
			}
		}
	}
}

// forms returns a value by itself and in a pointer, slices, a map and structs.
func forms(v reflect.Value) map[string]any {
	pointer := reflect.New(v.Type())
	pointer.Elem().Set(v)
	all := make(map[string]any)
	for kind, each := range map[string]reflect.Value{"value": v, "pointer": pointer} {
		list := reflect.MakeSlice(reflect.SliceOf(each.Type()), 1, 1)
		list.Index(0).Set(each)
		byName := reflect.MakeMap(reflect.MapOf(reflect.TypeFor[string](), each.Type()))
		byName.SetMapIndex(reflect.ValueOf("k"), each)
		within := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "V", Type: each.Type()}})).Elem()
		within.Field(0).Set(each)
		all[kind], all["slice of "+kind], all["map of "+kind], all["struct of "+kind] = each.Interface(), list.Interface(), byName.Interface(), within.Interface()
	}
	return all
}

// printed returns a value by each verb, in JSON and by the handlers of slog.
func printed(v any, withJSON bool) map[string]string {
	out := make(map[string]string)
	for _, verb := range []string{"%v", "%+v", "%#v"} {
		out[verb] = fmt.Sprintf(verb, v)
	}
	var text, lines bytes.Buffer
	slog.New(slog.NewTextHandler(&text, nil)).Info("m", "v", v, slog.Group("g", "v", v))
	out["slog text"] = text.String()
	if withJSON {
		slog.New(slog.NewJSONHandler(&lines, nil)).Info("m", "v", v, slog.Group("g", "v", v))
		data, err := json.Marshal(v)
		out["slog JSON"], out["JSON"] = lines.String(), fmt.Sprintf("%s, %v", data, err)
	}
	return out
}

func checkNoKeys(t *testing.T, v reflect.Value) {
	t.Helper()
	name := v.Type().String()
	for form, value := range forms(v) {
		for how, text := range printed(value, !whole[name]) {
			if strings.Contains(text, "c4n4ry") || strings.Contains(text, "PANIC") || strings.Contains(text, "panicked") {
				t.Errorf("%s, %s, by %s: got the key of a link in %.600s", name, form, how, text)
			}
		}
	}
}

// TestNoKeys wants no key of a share link in the printed, marshaled or logged form of any value that the library
// hands out.
func TestNoKeys(t *testing.T) {
	known := make(map[string]bool)
	for _, v := range handed {
		value := reflect.ValueOf(v).Elem()
		known[value.Type().String()] = true
		filled(value, value.Type().String(), 0)
		checkNoKeys(t, value)
	}
	lib := exported(t, "./dataurl", "./externalbody/...", "./fetch/...", "./urlaccess/...")
	for dir := range packages(sources(t)) {
		if internal(dir) || isProgram(dir) {
			continue
		}
		pkg, err := lib.Import(module + dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range pkg.Scope().Names() {
			obj, isType := pkg.Scope().Lookup(name).(*types.TypeName)
			if !isType || !obj.Exported() || strings.HasSuffix(name, "Options") {
				continue
			}
			_, isStruct := obj.Type().Underlying().(*types.Struct)
			of := pkg.Name() + "." + name
			if isStruct && !obj.IsAlias() && !known[of] && apart[of] == "" {
				t.Errorf("%s is in no list of this test", of)
			}
		}
	}
}

// TestNoKeysOfReal does the same with values that were read and fetched, whose unexported fields have the
// link too.
func TestNoKeysOfReal(t *testing.T) {
	mail := "Content-Type: message/external-body; access-type=URL; URL=\"" + canary + "\"\n\nContent-Type: application/pdf\n\n"
	msg, err := externalbody.Open(strings.NewReader(mail), int64(len(mail)), nil)
	if err != nil {
		t.Fatal(err)
	}
	to, err := url.Parse(canary + "&from=c4n4ry")
	if err != nil {
		t.Fatal(err)
	}
	var asked *fetch.Request
	r := &externalbody.Resolver{Fetcher: fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		asked = req
		return &fetch.Response{URL: to, Hops: []*url.URL{req.URL}, MediaType: "application/pdf", Size: 1, Body: io.NopCloser(strings.NewReader("x"))}, nil
	})}
	for alts := range msg.Alternatives() {
		spool, err := r.SaveSpool(t.Context(), alts, "")
		if err != nil {
			t.Fatal(err)
		}
		defer spool.Close()
		body, err := r.Resolve(t.Context(), alts...)
		if err != nil {
			t.Fatal(err)
		}
		defer body.Close()
		for _, v := range []any{alts, *alts[0], *r.Plan(alts[0]), *spool.Report, *asked, externalbody.Failure{Reference: alts[0], Report: spool.Report}} {
			checkNoKeys(t, reflect.ValueOf(v))
		}
		for name, v := range map[string]any{"Message": msg, "Body": body, "Spool": spool} {
			for how, text := range printed(v, true) {
				if strings.Contains(text, "c4n4ry") {
					t.Errorf("%s by %s: got the key of a link in %.600s", name, how, text)
				}
			}
		}
	}
}
