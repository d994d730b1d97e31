import { useState } from 'react'
import { previewLook } from '#contract/desk-look.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useAction } from '../../kit/call.ts'
import styles from './look.module.css'

const PAGES = { '': 'Home', '/itemshop': 'Item shop', '/rankings': 'Rankings' } as const
/** The widths that a preview is shown at, in px. */
const WIDTHS = { desktop: 1440, phone: 360 } as const

/** Real pages in the look of the draft, as wide as a phone or a desktop screen. */
export function PreviewPanel({ version }: { version: number }) {
  const [page, setPage] = useState<keyof typeof PAGES>('')
  const [width, setWidth] = useState<keyof typeof WIDTHS>('desktop')
  const [opened, setOpened] = useState<{ path: string; version: number } | null>(null)
  const preview = useAction(previewLook, { done: null })
  const open = async () => {
    const answer = await preview.run({ version })
    if (answer !== undefined) setOpened({ path: answer.path, version })
  }
  const address = opened?.version === version ? `${opened.path}${page}` : null
  return (
    <Panel title="Preview">
      <div className={styles.tools}>
        <Button tone={address === null ? 'primary' : 'secondary'} busy={preview.busy} onClick={() => void open()}>
          {address === null ? 'Show the draft' : 'Show it again'}
        </Button>
        {address !== null && (
          <>
            <Choice label="Page" options={PAGES} value={page} onChange={setPage} />
            <Choice label="Width" options={{ desktop: 'Desktop', phone: 'Phone' }} value={width} onChange={setWidth} />
            <a href={address} target="_blank" rel="noopener">
              Open in a new tab<span className="visually-hidden"> (good for ten minutes)</span>
            </a>
          </>
        )}
      </div>
      {address !== null && (
        <div className={styles.preview} data-width={width}>
          <iframe
            key={`${address} ${width}`}
            src={address}
            title={`Preview of the draft: ${PAGES[page]}`}
            sandbox="allow-same-origin"
            width={WIDTHS[width]}
          />
        </div>
      )}
    </Panel>
  )
}

type ChoiceProps<Value extends string> = {
  label: string
  options: Readonly<Record<Value, string>>
  value: Value
  onChange: (value: Value) => void
}

function Choice<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">{label}</legend>
      {(Object.entries(options) as [Value, string][]).map(([one, name]) => (
        <button key={one} type="button" aria-pressed={one === value} onClick={() => onChange(one)}>
          {name}
        </button>
      ))}
    </fieldset>
  )
}
