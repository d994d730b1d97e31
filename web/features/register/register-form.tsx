import { useNavigate } from 'react-router'
import grid from '#web/forms/sheet.module.css'
import { PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { HowYouGetIn, LastThing, WhoYouAre } from './registration-parts.tsx'
import { useRegistration } from './use-registration.ts'

/** The printed form of SPEC §2.6. What was typed stays through a refusal and through a reload. */
export function RegisterForm() {
  const { form, submit, keep } = useRegistration()
  const navigate = useNavigate()
  return (
    <PaperSheet>
      <form method="dialog" noValidate onSubmit={submit} onChange={keep}>
        <WhoYouAre form={form} />
        <HowYouGetIn form={form} />
        <SheetPart numeral={3} title="Last thing">
          <LastThing form={form} />
          <div className={grid.actions}>
            <Button type="submit" tone="paper" size="lg" busy={form.formState.isSubmitting}>
              Submit
            </Button>
            <Button tone="secondary" size="lg" onClick={() => void navigate('/')}>
              Cancel
            </Button>
          </div>
        </SheetPart>
      </form>
    </PaperSheet>
  )
}
