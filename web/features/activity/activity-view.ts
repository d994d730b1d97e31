import { HOME_ACTIVITY_ROWS, listActivity } from '#contract/activity.ts'
import { readId } from '#web/api/page.ts'
import { toCallQuery } from '#web/api/queries.ts'

/** The search parameter of the page. The list shows the entries older than the entry `before`. */
export const activitySearch = {
  names: ['before'],
  read: (query: URLSearchParams) => ({ before: readId(query.get('before') ?? undefined) || null }),
}

export type ActivityView = ReturnType<typeof activitySearch.read>

/** Returns the address of a view. */
export const getActivityPath = ({ before }: ActivityView) =>
  before === null ? '/activity' : `/activity?before=${before}`

/** Returns the input of the call for a view. */
export const toActivityInput = ({ before }: ActivityView) => (before === null ? {} : { before })

/** Returns the query of the newest rows for the home page, which shows news and events separately. */
export const getHomeActivityQuery = () => toCallQuery(listActivity, { only: 'game', size: HOME_ACTIVITY_ROWS })
