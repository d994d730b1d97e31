import { useState } from 'react'
import { previewDocument } from '#contract/desk-documents.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useAction } from '../../kit/call.ts'
import styles from './pages.module.css'
import type { PageDraft } from './versions.tsx'

/** The widths that a preview is shown at, in px. */
const WIDTHS = { phone: 360, desktop: 1440 } as const

/** The real page with the draft, as wide as a phone or a desktop screen. */
export function PreviewPanel({ draft: { item, save } }: { draft: Pick<PageDraft, 'item' | 'save'> }) {
  const [width, setWidth] = useState<keyof typeof WIDTHS>('desktop')
  const [address, setAddress] = useState<string | null>(null)
  const preview = useAction(previewDocument, { done: null })
  const show = async (wanted: keyof typeof WIDTHS) => {
    setWidth(wanted)
    const answer = (await save()) ? await preview.run({ name: item.name }) : undefined
    if (answer !== undefined) setAddress(answer.path)
  }
  const button = (wanted: keyof typeof WIDTHS, label: string) => (
    <Button tone="secondary" busy={preview.busy && wanted === width} onClick={() => void show(wanted)}>
      {address === null ? label : `${label} again`}
    </Button>
  )
  return (
    <Panel title="Preview">
      <div className={styles.previewTools}>
        {button('desktop', 'Show on a desktop')}
        {button('phone', 'Show on a phone')}
        {address !== null && (
          <>
            <a href={address} target="_blank" rel="noopener">
              Open in a new tab<span className="visually-hidden"> (good for ten minutes)</span>
            </a>
            <Button tone="quiet" onClick={() => setAddress(null)}>
              Close the preview
            </Button>
          </>
        )}
      </div>
      {address !== null && (
        <div className={styles.preview} data-width={width}>
          <iframe
            key={`${address} ${width}`}
            src={address}
            title={`Preview of ${item.title}`}
            sandbox="allow-same-origin"
            width={WIDTHS[width]}
          />
        </div>
      )}
    </Panel>
  )
}
