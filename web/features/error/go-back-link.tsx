import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { ERROR_PAGE } from '#contract/messages.ts'
import { ButtonLink } from '#web/ui/button.tsx'

/** Goes one page back; home where there is no page before, and without scripts. */
export function GoBackLink() {
  const navigate = useNavigate()
  const goBack = (event: MouseEvent) => {
    if (window.history.length < 2) return
    event.preventDefault()
    void navigate(-1)
  }
  return (
    <ButtonLink to="/" onClick={goBack}>
      {ERROR_PAGE.goBack}
    </ButtonLink>
  )
}
