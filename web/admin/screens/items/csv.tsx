import { useState } from 'react'
import { useNavigate } from 'react-router'
import { checkItemsCsv, getItemsCsv, getItemsTemplate, importItemsCsv } from '#contract/desk-items.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatPlural } from '#contract/numbers.ts'
import field from '#web/ui/field.module.css'
import { FieldFrame } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { DeskAction } from '../../kit/action.tsx'
import { useAction } from '../../kit/call.ts'
import { RecordPage } from '../../kit/screen.tsx'
import styles from './items.module.css'

type CsvCheck = CallOutput<typeof checkItemsCsv>

/** Exports items as a file, previews the changes made in a spreadsheet, and imports them. */
export function Screen() {
  const navigate = useNavigate()
  const [file, setFile] = useState<File | null>(null)
  const [checkResult, setCheckResult] = useState<CsvCheck | null>(null)
  const checkAction = useAction(checkItemsCsv)
  const checkFile = async (chosenFile: File | null) => {
    setFile(chosenFile)
    setCheckResult(null)
    if (chosenFile !== null) setCheckResult((await checkAction.run({ file: chosenFile })) ?? null)
  }

  return (
    <RecordPage back={{ to: '/admin/items', label: 'Items' }} title="Items as a file">
      <Panel title="1. Export">
        <div className={styles.preview}>
          <p>
            A CSV file for your spreadsheet, one item per line. A line without a number becomes a new item. If you
            delete a column, those values stay unchanged in the shop.
          </p>
          <p>
            Write dates in Manila time as 2026-12-31 18:00, and whole numbers as 1500 or 1,500. Lines that begin with #
            are not imported.
          </p>
          <div className={layout.buttons}>
            <DeskAction
              endpoint={getItemsCsv}
              input={{}}
              label="Download all items"
              tone="secondary"
              onDone={(csv) => saveFile(csv, 'items.csv')}
            />
            <DeskAction
              endpoint={getItemsTemplate}
              input={{}}
              label="Download a template"
              tone="secondary"
              onDone={(csv) => saveFile(csv, 'items-template.csv')}
            />
          </div>
        </div>
      </Panel>
      <Panel title="2. Import">
        <div className={styles.preview}>
          <FieldFrame label="CSV file" hint="at most 4 MB">
            {(controlProps) => (
              <input
                {...controlProps}
                type="file"
                accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
                className={field.input}
                onChange={({ currentTarget }) => void checkFile(currentTarget.files?.[0] ?? null)}
              />
            )}
          </FieldFrame>
          {checkAction.busy && <p role="status">Reading the file…</p>}
          {checkResult !== null && file !== null && (
            <>
              <p role="status">
                {checkResult.problems.length > 0 ? (
                  <>
                    <b>{checkResult.problems.length}</b> {checkResult.problems.length === 1 ? 'problem' : 'problems'}.
                    Nothing is changed. Correct the file and choose it again.
                  </>
                ) : (
                  <>
                    Items: <b>{checkResult.changed}</b> changed, <b>{checkResult.added}</b> new, {checkResult.unchanged}{' '}
                    unchanged.
                    {checkResult.changes.some(({ risk }) => risk !== null) &&
                      ' Another operator, if you have one, has to approve the whole import first, because of the items that wait for approval below.'}
                  </>
                )}
              </p>
              {checkResult.problems.length === 0 && checkResult.changed + checkResult.added > 0 && (
                <DeskAction
                  endpoint={importItemsCsv}
                  input={{ file, checked: checkResult.checked }}
                  label={`Import ${formatPlural(checkResult.changed + checkResult.added, 'item')}`}
                  onDone={() => navigate('/admin/items')}
                />
              )}
            </>
          )}
        </div>
        {checkResult !== null && <Findings checked={checkResult} />}
      </Panel>
    </RecordPage>
  )
}

function Findings({ checked: { problems, changes } }: { checked: CsvCheck }) {
  const rows =
    problems.length > 0
      ? problems.map(({ line, field: column, message }) => ({ line, name: column, what: message }))
      : changes.map(({ line, item_name, what, risk }) => ({
          line,
          name: item_name,
          what: risk === null ? what : `Waits for approval (${risk}): ${what}`,
        }))
  if (rows.length === 0) return null
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={problems.length > 0 ? 'Problems' : 'Changes'}>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">{problems.length > 0 ? 'Column' : 'Item'}</th>
            <th scope="col">{problems.length > 0 ? 'Problem' : 'Change'}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ line, name, what }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line can have several problems
            <tr key={index}>
              <td>{line}</td>
              <th scope="row">{name}</th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
