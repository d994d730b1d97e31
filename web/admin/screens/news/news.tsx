import { useNavigate, useSearchParams } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { createNews, getDeskNews, NEWS_TYPES } from '#contract/news.ts'
import { Button } from '#web/ui/button.tsx'
import { useAction } from '../../kit/call.ts'
import deskLayout from '../../kit/desk-layout.module.css'
import { State, StateBadge, type States, When } from '../../kit/facts.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { ScreenHead, useTitle } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'

type Row = CallOutput<typeof getDeskNews>['rows'][number]

const STATES: States<Row['state']> = {
  draft: ['Draft', 'attention'],
  scheduled: ['Scheduled', 'calm'],
  published: ['Published', 'good'],
  hidden: ['Hidden', 'off'],
  trash: ['In the trash', 'bad'],
}

/** Shows the state of an item, and whether it has unpublished changes. */
export function NewsState({ item: { state, has_draft } }: { item: Pick<Row, 'state' | 'has_draft'> }) {
  return (
    <>
      <State states={STATES} state={state} />
      {has_draft && state !== 'draft' && state !== 'trash' && (
        <StateBadge tone="attention">Unpublished changes</StateBadge>
      )}
    </>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'subject', title: 'Subject' },
  {
    key: 'state',
    title: 'State',
    card: 'end',
    cell: (item) => (
      <span className={deskLayout.badges}>
        <NewsState item={item} />
      </span>
    ),
  },
  { key: 'type', title: 'Kind', cell: ({ type }) => NEWS_TYPES[type] },
  { key: 'author', title: 'Writer' },
  {
    key: 'appears',
    title: 'Date',
    cell: ({ state, created_at, trashed_at }) => <When at={state === 'trash' ? trashed_at : created_at} />,
  },
  {
    key: 'saved',
    title: 'Last change',
    card: 'none',
    cell: ({ saved_at, saved_by }) =>
      saved_by === null ? (
        '—'
      ) : (
        <>
          <When at={saved_at} /> by {saved_by}
        </>
      ),
  },
]

/** Lists news, events and guides, including unpublished changes. */
export function Screen() {
  useTitle('News')
  const navigate = useNavigate()
  const may = useMay()
  const [query] = useSearchParams()
  const type = query.get('type')
  const createAction = useAction(createNews, {
    successMessage: null,
    onDone: ({ item }) => navigate(`/admin/news/${item.id}`),
  })
  const writeButton = may('news.write') && (
    <Button
      busy={createAction.busy}
      onClick={() => void createAction.run({ type: type === '1' ? 1 : type === '2' ? 2 : 0 })}
    >
      {type === '1' ? 'Write a guide' : type === '2' ? 'Write an event' : 'Write news'}
    </Button>
  )
  return (
    <>
      <ScreenHead title="News" line="News, events and guides, published and in progress." actions={writeButton} />
      <List
        endpoint={getDeskNews}
        label="News"
        columns={COLUMNS}
        filters={{
          q: { kind: 'search', label: 'Subject' },
          type: {
            kind: 'choice',
            label: 'Kind',
            options: [
              ['0', 'News'],
              ['2', 'Events'],
              ['1', 'Guides'],
            ],
          },
          state: {
            kind: 'choice',
            label: 'State',
            options: {
              draft: 'Drafts',
              edited: 'With unpublished changes',
              scheduled: 'Scheduled',
              published: 'Published',
              hidden: 'Hidden',
              trash: 'Trash',
            },
          },
        }}
        getId={({ id }) => id}
        getLink={({ id }) => `/admin/news/${id}`}
        empty={{
          title: 'Nothing written yet',
          line: 'Everything starts as a draft that only staff can see.',
          action: writeButton,
        }}
      />
    </>
  )
}
