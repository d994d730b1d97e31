import { type ComponentType, lazy } from 'react'

const Nothing = () => null

/** A part whose code is fetched when it is first shown. Where it cannot be fetched, the page does without it. */
export const lazyPart = <Props>(fetchPart: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await fetchPart().catch((): ComponentType<Props> => Nothing) }))
