import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Button } from './button.tsx'
import type { Answer, Question } from './dialog-types.ts'
import { DialogWindow } from './dialog-window.tsx'

/** Opens a question in a root of its own, above whatever page asks, and gives the answer. */
export function openQuestion(question: Question): Promise<Answer> {
  return new Promise((resolve) => {
    const place = document.body.appendChild(document.createElement('div'))
    const root = createRoot(place)
    const remove = () => {
      root.unmount()
      place.remove()
    }
    root.render(<Asked {...question} onAnswer={resolve} onClosed={remove} />)
  })
}

type AskedProps = Question & { onAnswer: (answer: Answer) => void; onClosed: () => void }

function Asked({ title, text, confirm, deny, cancel, tone, onAnswer, onClosed }: AskedProps) {
  const [open, setOpen] = useState(true)
  const answer = (given: Answer) => {
    setOpen(false)
    onAnswer(given)
  }
  return (
    <DialogWindow
      open={open}
      title={title}
      tone={tone}
      onClose={() => answer('cancel')}
      onClosed={onClosed}
      actions={
        <>
          {cancel !== undefined && (
            <Button tone="secondary" onClick={() => answer('cancel')}>
              {cancel}
            </Button>
          )}
          {deny !== undefined && (
            <Button tone="secondary" onClick={() => answer('deny')}>
              {deny}
            </Button>
          )}
          <Button onClick={() => answer('confirm')}>{confirm}</Button>
        </>
      }
    >
      {text}
    </DialogWindow>
  )
}
