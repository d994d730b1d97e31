import { createContext, use } from 'react'

/** The operators' own pictures by the addresses of the drawings that they replace. */
export const OwnArt = createContext<Readonly<Record<string, string>>>({})

/** Returns the address of a drawing, or of the operators' picture in its place (LOOK-13). */
export const useArt = (drawing: string): string => use(OwnArt)[drawing] ?? drawing
