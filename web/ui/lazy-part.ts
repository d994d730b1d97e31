import { type ComponentType, lazy } from 'react'

const EmptyPart = () => null

/**
 * Returns a component whose code is downloaded when it is first rendered. If the download fails, it renders nothing.
 */
export const lazyPart = <Props>(fetchPart: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await fetchPart().catch((): ComponentType<Props> => EmptyPart) }))
