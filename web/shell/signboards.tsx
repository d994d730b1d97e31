import { BookOpen, Download } from 'lucide-react'
import { Signboard } from '#web/ui/signboard.tsx'

type BoardProps = { className?: string | undefined }

/** The next action for whoever is new: the game itself. */
export function DownloadBoard({ className }: BoardProps) {
  return (
    <Signboard
      to="/downloads"
      tone="yellow"
      icon={<Download size={38} strokeWidth={2.6} aria-hidden="true" />}
      title="Download"
      line="Full client"
      className={className}
    />
  )
}

/** The game guide. On inner pages it is ink, since one paper object is enough there. */
export function InstructionsBoard({ className, tone = 'paper' }: BoardProps & { tone?: 'paper' | 'ink' }) {
  return (
    <Signboard
      to="/instructions"
      tone={tone}
      icon={<BookOpen size={32} strokeWidth={2.4} aria-hidden="true" />}
      title="Instructions"
      line="The full game guide"
      className={className}
    />
  )
}
