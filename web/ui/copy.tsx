import { Button } from './button.tsx'
import { showToast } from './toast.ts'

type Copy = {
  text: string
  /** The text that screen readers add to “Copy”: 'the code'. */
  what: string
  onCopied?: () => void
}

/**
 * A button that copies a text and confirms it. Browsers have no clipboard at addresses without https and may refuse it;
 * then the text has to be selected by hand, so it must be visible next to the button.
 */
export function CopyButton({ text, what, onCopied }: Copy) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      return showToast('error', 'This browser did not allow copying. Please select the text yourself.')
    }
    onCopied?.()
    return showToast('done', 'Copied.')
  }
  return (
    <Button tone="secondary" onClick={() => void copy()}>
      Copy<span className="visually-hidden"> {what}</span>
    </Button>
  )
}
