import { CLUBS } from '#contract/messages.ts'
import { getClubAreas } from '#contract/site.ts'
import { useCall } from '#web/api/queries.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import styles from './club-areas.module.css'

const AREAS = [1, 2, 3]

/** The club table: each area as a drawn scene, the club that holds it, and its tax (SPEC §2.1). */
export function ClubAreas() {
  const { data, isFetching } = useCall(getClubAreas, {})
  return (
    <Panel index={2} title="Club areas" className={styles.panel}>
      {data === undefined && isFetching && AREAS.map((area) => <Skeleton key={area} width="100%" height={88} />)}
      {data !== undefined && (
        <table className={styles.table}>
          <caption className="visually-hidden">Who holds the club areas</caption>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">Area</th>
              <th scope="col">Club</th>
              <th scope="col">Tax</th>
            </tr>
          </thead>
          <tbody className={styles.body}>
            {data.data.map(({ id, name, club, tax_percent, img_url }) => (
              <tr key={id} className={styles.row}>
                <td className={styles.area}>
                  {img_url && <img src={img_url} alt="" width="180" height="60" loading="lazy" />}
                  <span>{name}</span>
                </td>
                <td className={styles.club} data-head="Club">
                  {club ?? CLUBS.noClub}
                </td>
                <td className={styles.tax} data-head="Tax">
                  {tax_percent}%
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
