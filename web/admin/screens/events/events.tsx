import { getDeskEvents } from '#contract/desk-events.ts'
import { formatRepeats } from '#contract/events.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { type States, toStateOptions, When } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'

type Row = RowOf<typeof getDeskEvents>

const STATES: States<Row['state']> = {
  coming: ['Coming', 'good'],
  over: ['Over', 'off'],
  hidden: ['Hidden', 'calm'],
  cancelled: ['Cancelled', 'bad'],
}

const columns: Column<Row>[] = [
  { key: 'title', title: 'Event' },
  { key: 'state', title: 'State', card: 'end', states: STATES },
  { key: 'repeats', title: 'How often', cell: formatRepeats },
  {
    key: 'next_at',
    title: 'Next time',
    cell: ({ next_at, starts_at }) => <When at={next_at ?? starts_at} show="both" />,
  },
  { key: 'reminders', title: 'Reminders', align: 'end' },
]

/** Lists all events, including hidden ones. */
export function Screen() {
  const planButton = <ButtonLink to="/admin/events/new">Plan an event</ButtonLink>
  return (
    <>
      <ScreenHead
        title="Events"
        line="Plan what happens on the server. Players see it on the page Events, on the home page and in Discord, and can request a reminder an hour before."
        actions={planButton}
      />
      <List
        endpoint={getDeskEvents}
        label="Events"
        columns={columns}
        filters={{ state: { kind: 'choice', label: 'State', options: toStateOptions(STATES) } }}
        getId={({ event }) => event}
        getLink={({ event }) => `/admin/events/${event}`}
        empty={{
          title: 'No events yet',
          line: 'Plan the first one. Players can’t see hidden events.',
          action: planButton,
        }}
      />
    </>
  )
}
