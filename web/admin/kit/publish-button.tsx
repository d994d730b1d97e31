import { type ReactNode, useState } from 'react'
import { formatPlural } from '#contract/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import styles from './publish-button.module.css'
import { type Change, type Findings, findThingsToCheck } from './publish-check.ts'

type CheckListProps = {
  findings: Findings
  /** Facts that only an operator can check. */
  checks?: readonly string[]
  /** The differences from what readers see; null before the first publication. */
  changes?: readonly Change[] | null
}

/** Lists the points that an operator must check before publishing a text. */
export function CheckList({ findings: { blanks, dates, links }, checks = [], changes }: CheckListProps) {
  const newLinkCount = links.filter(({ isNew }) => isNew).length
  return (
    <div className={styles.checks}>
      {blanks.length > 0 && (
        <section data-tone="bad">
          <h3>{formatPlural(blanks.length, 'blank')} to fill in or remove</h3>
          <ul>
            {blanks.map(({ textBefore, blank, textAfter }, position) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a sentence can occur twice
              <li key={position}>
                {textBefore}
                <b>{blank}</b>
                {textAfter}
              </li>
            ))}
          </ul>
        </section>
      )}
      {checks.length > 0 && (
        <section>
          <h3>Facts that only you can check</h3>
          <ul>
            {checks.map((check) => (
              <li key={check}>{check}</li>
            ))}
          </ul>
        </section>
      )}
      {dates.length > 0 && (
        <section>
          <h3>{formatPlural(dates.length, 'date')}</h3>
          <ul>
            {dates.map(({ text, isPast }) => (
              <li key={text}>
                {text}
                {isPast && <b> (past)</b>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {links.length > 0 && (
        <section>
          <h3>
            {formatPlural(links.length, 'address', 'addresses')} outside this site
            {newLinkCount > 0 && `, ${newLinkCount} new`}
          </h3>
          <ul>
            {links.map(({ address, isNew }) => (
              <li key={address}>
                {address}
                {isNew && <b> (new)</b>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {changes !== undefined && (
        <section>
          <h3>Changes for readers</h3>
          {changes === null ? (
            <p>Readers see it for the first time.</p>
          ) : changes.length === 0 ? (
            <p>No visible changes.</p>
          ) : (
            <ChangeList changes={changes} />
          )}
        </section>
      )}
    </div>
  )
}

/** Lists the differences of two texts, each with the path of its field. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  return (
    <dl className={styles.changes}>
      {changes.map(({ fieldPath, before, after }) => (
        <div key={fieldPath}>
          <dt>{fieldPath}</dt>
          {before !== '' && (
            <dd>
              <del>{before}</del>
            </dd>
          )}
          {after !== '' && (
            <dd>
              <ins>{after}</ins>
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

type PublishButtonProps<Text> = {
  label: string
  /** The title of the dialog, a question. */
  title: string
  draft: { text: Text; save: () => Promise<boolean> }
  /** The published text; null before the first publication. */
  published: Text | null
  findChanges: (before: Text, after: Text) => readonly Change[]
  checks?: readonly string[]
  /** Whether the server refuses to publish a text with blanks. */
  isBlankRefused?: boolean
  /** Further information about this publication, such as its time. */
  note?: ReactNode
  busy: boolean
  publish: () => Promise<unknown>
}

/** Saves a draft, lists the points to check, and publishes it. */
export function PublishButton<Text>(props: PublishButtonProps<Text>) {
  const { label, title, draft, published, findChanges, checks = [], isBlankRefused = false, note, busy } = props
  const [isOpen, setIsOpen] = useState(false)
  const openDialog = async () => {
    if (await draft.save()) setIsOpen(true)
  }
  const close = () => setIsOpen(false)
  const publish = async () => {
    // Closes the dialog first, because the fields behind it show the errors.
    close()
    await props.publish()
  }
  const findings = findThingsToCheck(draft.text, published, location.origin, new Date())
  const isRefused = isBlankRefused && findings.blanks.length > 0
  return (
    <>
      <Button busy={busy} onClick={() => void openDialog()}>
        {label}
      </Button>
      <DialogWindow
        open={isOpen}
        onClose={close}
        title={title}
        actions={
          <>
            <Button tone="secondary" onClick={close}>
              Back to the text
            </Button>
            {!isRefused && <Button onClick={() => void publish()}>{label}</Button>}
          </>
        }
      >
        {note}
        {isRefused && <p>Fill in or remove the blanks before you publish.</p>}
        {isOpen && (
          <CheckList
            findings={findings}
            checks={checks}
            changes={published === null ? null : findChanges(published, draft.text)}
          />
        )}
      </DialogWindow>
    </>
  )
}
