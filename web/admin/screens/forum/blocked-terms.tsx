import { useState } from 'react'
import {
  BLOCKED_TERM_ACTIONS,
  blockedTermFields,
  deleteBlockedTerm,
  getBlockedTerms,
  getDeskBoards,
  saveBlockedTerm,
} from '#contract/desk-forum.ts'
import { useCall } from '#web/api/queries.ts'
import { DeskAction } from '../../kit/action.tsx'
import { useAction } from '../../kit/call.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import { StateBadge } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import styles from './forum.module.css'
import { ForumTabs } from './parts.tsx'

type Row = RowOf<typeof getBlockedTerms>

/** Lists the terms that hold a new player's post, or that no post may contain. */
export function Screen() {
  const [addedCount, setAddedCount] = useState(0)
  const boards = useCall(getDeskBoards, {})
  const mayChange = useMay()('forum.boards') && boards.data?.mine === null
  const columns: Column<Row>[] = [
    { key: 'word', title: 'Word' },
    {
      key: 'action',
      title: 'What happens',
      card: 'wide',
      cell: ({ action }) => (
        <StateBadge tone={action === 'refuse' ? 'bad' : 'attention'}>{BLOCKED_TERM_ACTIONS[action]}</StateBadge>
      ),
    },
    { key: 'added_by', title: 'Added by' },
    { key: 'added_at', title: 'Added', kind: 'when' },
    ...(mayChange
      ? [
          {
            key: 'act',
            title: '',
            align: 'end' as const,
            card: 'end' as const,
            cell: (row: Row) => <RemoveTermButton row={row} />,
          },
        ]
      : []),
  ]
  return (
    <>
      <ScreenHead
        title="Watched words"
        line="Words and phrases that hold or refuse a forum post. They match whole words only; capitals, accents and punctuation are ignored."
      >
        <ForumTabs current="words" />
      </ScreenHead>
      {mayChange && (
        <div className={styles.add}>
          <DeskForm
            key={addedCount}
            endpoint={saveBlockedTerm}
            fields={blockedTermFields}
            values={{ action: 'hold' }}
            show={[['word', 'action']]}
            submitLabel="Add word"
            successMessage="The word is being watched now."
            onDone={() => setAddedCount(addedCount + 1)}
          />
        </div>
      )}
      <List
        endpoint={getBlockedTerms}
        label="Watched words"
        columns={columns}
        getId={({ word }) => word}
        empty={{ title: 'No word is watched', line: 'Add words that often appear in spam and scams.' }}
      />
    </>
  )
}

function RemoveTermButton({ row: { word, action } }: { row: Row }) {
  const restoreTerm = useAction(saveBlockedTerm)
  return (
    <DeskAction
      endpoint={deleteBlockedTerm}
      input={{ word }}
      label="Remove"
      about={word}
      tone="quiet"
      undo={() => restoreTerm.run({ word, action })}
    />
  )
}
