import type { MetaFunction } from 'react-router'
import { pageMeta } from '#web/api/page-meta.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { ServerSheet } from './server-sheet.tsx'
import { NUMBERS, RATES } from './server-values.ts'
import { SheetInWords } from './sheet-in-words.tsx'

const TITLE = 'Server Information'

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    crumb: TITLE,
    description: `${[...RATES, ...NUMBERS.slice(0, 2)].map(({ name, value }) => `${name} ${value}`).join(', ')}: rates, limits and times of this server.`,
    path: '/serverinfo',
  })

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
