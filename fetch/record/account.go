package record

import "time"

// An Account is an account at a file host with which a link may be asked for.
type Account struct {
	// Name is the name of the account in the settings of the program. User names the person to whom it
	// belongs, for people.
	Name string `json:"name"`
	User string `json:"user,omitempty"`

	// API is the host of the API that is asked with the account.
	API string `json:"api"`

	// Contents are the hosts, besides the link's, to which the API leads for the octets. One that starts
	// with a dot stands for the hosts below it.
	Contents []string `json:"contents,omitempty"`
}

// An Object is a file as the API of its host describes it to an account. The host vouches for it: the
// program has compared Digests, and nothing else.
type Object struct {
	Account string `json:"account"` // Account.Name
	ID      string `json:"id,omitempty"`
	Name    string `json:"name,omitempty"`

	// Size is the size that the API announces. Some hosts are wrong about it, so that it is not compared.
	Size int64 `json:"size,omitempty"`

	// Version is the version of the octets, which was made at Modified and was in force until Until. Until
	// is zero for the present version. Version is "" if the host does not name it.
	Version  string    `json:"version,omitempty"`
	Modified time.Time `json:"modified,omitzero"`
	Until    time.Time `json:"until,omitzero"`

	// History is the reason why the octets are not the version of the time that was asked for, and "" if
	// they are, or if no time was asked for:
	//
	//   - "cut": the oldest version that the host has kept is younger;
	//   - "younger": the file itself is younger;
	//   - "hidden": the account may not see the versions;
	//   - "deleted": the version was deleted while it was asked for;
	//   - "clock": the times of the file and of its versions contradict each other;
	//   - "long": the history has more pages than are read;
	//   - "rendition": the host makes the octets, and keeps no earlier ones;
	//   - "not-by-account": the file was had without the account, which may not see it.
	History string `json:"history,omitempty"`
}
