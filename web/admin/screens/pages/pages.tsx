import { DOCUMENT_STATES, getDeskDocuments } from '#contract/desk-documents.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { StateBadge, When } from '../../kit/facts.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { ScreenHead, useTitle } from '../../kit/screen.tsx'

type Row = CallOutput<typeof getDeskDocuments>['rows'][number]

const TONES = { preparing: 'off', published: 'good', edited: 'attention' } as const

/** Shows whether a page is published, and whether it has unpublished changes. */
export const PageState = ({ state }: Pick<Row, 'state'>) => (
  <StateBadge tone={TONES[state]}>{DOCUMENT_STATES[state]}</StateBadge>
)

const COLUMNS: Column<Row>[] = [
  { key: 'title', title: 'Page' },
  { key: 'state', title: 'State', card: 'end', cell: (row) => <PageState {...row} /> },
  { key: 'path', title: 'Address', card: 'bare', cell: ({ path }) => path ?? 'every page' },
  {
    key: 'saved',
    title: 'Last change',
    card: 'inline',
    cell: ({ saved_at, saved_by }) =>
      saved_by === null ? (
        'as installed'
      ) : (
        <>
          <When at={saved_at} /> by {saved_by}
        </>
      ),
  },
]

/** Lists the site's fixed pages and the operators' free pages (PAGE-1). */
export function Screen() {
  useTitle('Pages')
  return (
    <>
      <ScreenHead
        title="Pages"
        line="Story, guides, policies, server information and your own pages: every text for players except news."
        actions={<ButtonLink to="/admin/pages/new">Add a page</ButtonLink>}
      />
      <List
        endpoint={getDeskDocuments}
        label="Pages"
        columns={COLUMNS}
        filters={{}}
        getId={({ name }) => name}
        getLink={({ name }) => `/admin/pages/${name}`}
        empty={{ title: 'No pages', line: 'Restart the site to create its drafts again.' }}
      />
    </>
  )
}
