import { lazy, Suspense, useState } from 'react'
import { DIALOG } from '#contract/messages.ts'
import type { Answer, DialogWindowProps, Question } from './dialog-types.ts'

const LazyWindow = lazy(async () => ({ default: (await import('./dialog-window.tsx')).DialogWindow }))

/** A modal window. Its machinery is fetched when it first opens. */
export function Dialog(props: DialogWindowProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  return wanted ? (
    <Suspense>
      <LazyWindow {...props} />
    </Suspense>
  ) : null
}

/**
 * Asks with up to three buttons and gives the one that was pressed; Escape is `cancel`.
 * A button without words is left out. Defaults: SPEC §9.
 */
export async function askChoice({
  confirm = DIALOG.confirm,
  ...question
}: Omit<Question, 'confirm'> & { confirm?: string }): Promise<Answer> {
  const { openQuestion } = await import('./dialog-host.tsx')
  return openQuestion({ confirm, ...question })
}

type Confirmation = { title: string; text: string; confirm?: string; cancel?: string; tone?: Question['tone'] }

/** Asks whether to go on. False when declined, closed or escaped. */
export async function askConfirm({ cancel = DIALOG.cancel, ...question }: Confirmation): Promise<boolean> {
  return (await askChoice({ cancel, ...question })) === 'confirm'
}

type Notice = { title: string; text: string; tone?: Question['tone'] }

/** Shows a message in a dialog until it is closed. */
export async function showNotice(notice: Notice): Promise<void> {
  await askChoice(notice)
}
