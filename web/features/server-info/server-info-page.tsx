import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { ServerSheet } from './server-sheet.tsx'
import { NUMBERS, RATES } from './server-values.ts'
import { SheetInWords } from './sheet-in-words.tsx'

const TITLE = 'Server Information'

/** The server information sheet (SPEC §2.10) as a drawing, and the same in words. */
export default function ServerInfoPage() {
  return (
    <>
      <PageHead
        crumb={TITLE}
        title={TITLE}
        lines={['Rates, limits, times and rules on one sheet, as it hangs at the guard house.']}
        actions={
          <ButtonLink to="/instructions" tone="secondary">
            The full game guide
          </ButtonLink>
        }
      />
      <div>
        <ServerSheet />
      </div>
      <SheetInWords />
    </>
  )
}
