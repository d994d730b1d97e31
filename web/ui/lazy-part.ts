import { type ComponentType, lazy } from 'react'

const Nothing = () => null

/** A component whose code is downloaded when it is first shown. If that fails, it renders nothing. */
export const lazyPart = <Props>(fetchPart: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await fetchPart().catch((): ComponentType<Props> => Nothing) }))
