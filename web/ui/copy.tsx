import { Button } from './button.tsx'
import { showToast } from './toast.ts'

type CopyButtonProps = {
  text: string
  /** The object of “Copy” for screen readers: 'the code'. */
  what: string
  onCopied?: () => void
}

/**
 * A button that copies a text and confirms it. Browsers offer no clipboard without HTTPS and can refuse access to
 * it. Show the text next to the button, so people can select it by hand.
 */
export function CopyButton({ text, what, onCopied }: CopyButtonProps) {
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
