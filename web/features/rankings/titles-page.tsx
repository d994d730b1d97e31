import { getTitles } from '#contract/characters.ts'
import { useCall } from '#web/api/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Loading, Skeleton } from '#web/ui/states.tsx'
import { getCharacterPath, getClubPath } from './rankings-view.ts'
import { TitleRow } from './title-row.tsx'

/** Lists all titles with their holders, newest first (RANK-19). */
export default function TitlesPage() {
  const { data, error, refetch } = useCall(getTitles, {})
  return (
    <>
      <PageHead
        crumb="Titles"
        title="Titles"
        lines={['The winners of months, seasons, tournaments and leagues, and the first of each class at a level.']}
      />
      <Panel>
        {data === undefined && error === null && (
          <Loading className={layout.padded}>
            <Skeleton width="100%" height={320} />
          </Loading>
        )}
        {data === undefined && error !== null && (
          <EmptyState
            title="We couldn’t load the titles."
            action={<Button onClick={() => void refetch()}>Try again</Button>}
          />
        )}
        {data?.data.length === 0 && (
          <EmptyState
            title="No one holds a title yet"
            line="The first ones come when a month ends or a class reaches a new level."
          />
        )}
        {data !== undefined && data.data.length > 0 && (
          <ul className={layout.rows}>
            {data.data.map((title) => (
              <TitleRow
                key={`${title.kind} ${title.name} ${title.board} ${title.id} ${title.level} ${title.ChaNum}`}
                title={title}
              >
                {title.club === null ? (
                  <Link to={getCharacterPath(title.ChaNum)}>{title.ChaName}</Link>
                ) : (
                  <Link to={getClubPath(title.club.GuNum)}>{title.club.GuName}</Link>
                )}
              </TitleRow>
            ))}
          </ul>
        )}
      </Panel>
    </>
  )
}
