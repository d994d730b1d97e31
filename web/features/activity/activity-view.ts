import { ACTIVITY_AT_HOME, listActivity } from '#contract/activity.ts'
import { numberIn } from '#web/api/page.ts'
import { callQuery } from '#web/api/queries.ts'

/** The page's part of an address: `before` is the entry behind which the list begins. */
export const activitySearch = {
  names: ['before'],
  read: (query: URLSearchParams) => ({ before: numberIn(query.get('before') ?? undefined) || null }),
}

export type ActivityView = ReturnType<typeof activitySearch.read>

/** The address of a view. */
export const activityPath = ({ before }: ActivityView) => (before === null ? '/activity' : `/activity?before=${before}`)

/** The page of the feed that a view shows. */
export const toActivityInput = ({ before }: ActivityView) => (before === null ? {} : { before })

/** The newest rows for the home page, which has news and events next to them. */
export const homeActivityQuery = () => callQuery(listActivity, { only: 'game', size: ACTIVITY_AT_HOME })
