package cluster

// merge returns what a node makes of the view that another one sends, which is v if it changes nothing. stale is a node
// that the sender does not know the slots of.
func (n *Node) merge(v, sent *view) (merged *view, stale *Node) {
	sender := sent.self()
	if v.byID(sender.id) == nil {
		return v, nil
	}
	w := v.clone()
	w.meet(sent, n.now())
	if w.byID(sender.id).changedTo(sender) {
		w.update(w.byID(sender.id), func(m *member) { *m = *sender })
	}
	w.epoch = max(w.epoch, sent.epoch, sender.epoch)
	if sender.master == "" {
		stale = w.takeClaims(sent)
		w.resolveCollision(sender)
	}
	w.followMaster()
	if w.sameAs(v) {
		return v, stale
	}
	if w.ownTable && *w.owners == *sent.owners {
		w.owners, w.ownTable = sent.owners, false
	}
	if *w.owners == *v.owners {
		w.owners = v.owners
	}
	return w, stale
}

// changedTo reports whether a node tells something new of itself.
func (m *member) changedTo(other *member) bool {
	return m.master != other.master || m.epoch != other.epoch || m.failed != other.failed || m.Node != other.Node
}

// meet adds the nodes that another node knows, unless they have been forgotten.
func (v *view) meet(sent *view, now int64) {
	for _, m := range sent.members {
		if v.byID(m.id) == nil && v.forgotten[m.id] <= now {
			v.members = append(v.members, m)
		}
	}
}

// takeClaims gives the sender the slots that it claims, if it has a higher epoch than the node that is known to own
// them. The first of those that have a higher epoch is returned.
func (v *view) takeClaims(sent *view) (stale *Node) {
	if v.owners == sent.owners {
		return nil
	}
	sender := sent.self()
	leader := v.self() // whose slots the node serves
	if m := v.masterOf(leader); m != nil {
		leader = m
	}
	had, took := v.size(leader), 0
	for slot, number := range sent.owners {
		if number != sender.number || v.owners[slot] == number || v.moving[slot].from != "" {
			continue
		}
		owner := v.owner(slot)
		if owner != nil && owner.epoch >= sender.epoch {
			if owner.epoch > sender.epoch && stale == nil {
				stale = owner.Node
			}
			continue
		}
		if owner == leader {
			took++
		}
		if v.moving[slot].to != "" {
			v.setMove(slot, move{})
		}
		v.assign(slot, sender)
	}
	if took > 0 && took == had && leader.id != sender.id {
		v.follow(sender)
	}
	return stale
}

// follow makes the node a replica of another one.
func (v *view) follow(master *member) {
	v.update(v.self(), func(m *member) { m.master, m.epoch = master.id, master.epoch })
	v.moving = nil
}

// followMaster makes a replica follow the master of its master, if that has become a replica itself.
func (v *view) followMaster() {
	self := v.self()
	master := v.masterOf(self)
	if master == nil {
		return
	}
	if next := v.masterOf(master); next != nil && next.id != self.id {
		v.follow(next)
		return
	}
	if master.master == "" && self.epoch != master.epoch {
		v.update(self, func(m *member) { m.epoch = master.epoch })
	}
}

// resolveCollision gives the node a new epoch if another master has the same; of the two it is the one with the lower
// ID.
func (v *view) resolveCollision(sender *member) {
	self := v.self()
	if self.master != "" || self.epoch != sender.epoch || self.id >= sender.id {
		return
	}
	v.epoch++
	v.update(self, func(m *member) { m.epoch = v.epoch })
}
