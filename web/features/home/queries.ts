import { queryOptions } from '@tanstack/react-query'
import { type ApiClient, read } from '#web/api/client.ts'

const CLUB_AREAS_STALE_MS = 60_000

/** The areas that clubs fight for, who holds them and their tax. */
export const clubAreasQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['club-areas'],
    staleTime: CLUB_AREAS_STALE_MS,
    queryFn: async () => (await read(api['club-areas'].$get())).data,
  })
