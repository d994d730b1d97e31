import { useQuery, useQueryClient } from '@tanstack/react-query'
import { browserClient } from '#web/api/client.ts'
import { downloadsQuery } from './queries.ts'

/** The links, with the refresh action of SPEC §4; those on screen stay until the answer is here. */
export function useDownloads() {
  const client = useQueryClient()
  const query = downloadsQuery(browserClient)
  const { data, isFetching } = useQuery(query)
  const refresh = () => client.refetchQueries({ queryKey: query.queryKey })
  return { data, isFetching, refresh }
}
