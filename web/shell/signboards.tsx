import { Icon } from '#web/ui/icon.tsx'
import { Signboard } from '#web/ui/signboard.tsx'

type BoardProps = { className?: string | undefined }

/** The next action for whoever is new: the game itself. */
export function DownloadBoard({ className }: BoardProps) {
  return (
    <Signboard
      to="/downloads"
      tone="yellow"
      icon={<Icon name="download" size={40} weight={3.2} />}
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
      icon={<Icon name="book" size={32} />}
      title="Instructions"
      line="The full game guide"
      className={className}
    />
  )
}
