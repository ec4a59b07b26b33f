package cluster

import (
	"math"

	"github.com/minilockd/minilockd/internal/hashtag"
)

// Form makes the nodes a cluster: the first ones are masters with equal shares of the slots, the others their replicas
// in turn. It is what redis-cli does by --cluster create. Settle then makes the replicas follow.
func (b *Bus) Form(nodes []*Node, masters int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	members := make([]*member, len(nodes))
	for i, n := range nodes {
		m := *n.view.Load().self()
		m.epoch = int64(i + 1)
		if i >= masters {
			master := members[i%masters]
			m.master, m.epoch = master.id, master.epoch
		}
		members[i] = &m
	}
	owners := new(table)
	share := float64(hashtag.Slots) / float64(masters)
	for i, m := range members[:masters] {
		first, end := int(math.Round(float64(i)*share)), int(math.Round(float64(i+1)*share))
		for slot := first; slot < end; slot++ {
			owners[slot] = m.number
		}
	}
	for i, n := range nodes {
		v := &view{epoch: int64(len(nodes)), owners: owners, members: []*member{members[i]}}
		v.members = append(append(v.members, members[:i]...), members[i+1:]...)
		v.count()
		n.view.Store(v)
	}
}
