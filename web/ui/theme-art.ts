import { createContext, use } from 'react'

/** The operators' pictures by the addresses of the drawings that they replace. */
export const ThemeArt = createContext<Readonly<Record<string, string>>>({})

/** Returns the address of a drawing, or of the operators' picture that replaces it (LOOK-13). */
export const useArt = (drawing: string): string => use(ThemeArt)[drawing] ?? drawing
