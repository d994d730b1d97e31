import type { ComponentType } from 'react'
import { FightFigure, MmrFigure, ResuFigure, SchoolsFigure } from './figures-of-people.tsx'
import {
  AreasFigure,
  ChannelsFigure,
  LevelsFigure,
  MonthFigure,
  ParcelFigure,
  PursesFigure,
  RefiningFigure,
} from './figures-of-things.tsx'
import type { FigureName } from './system-types.ts'

/** The drawn figure behind each name that the contents use. */
export const FIGURES: Record<FigureName, ComponentType> = {
  levels: LevelsFigure,
  fight: FightFigure,
  areas: AreasFigure,
  schools: SchoolsFigure,
  resu: ResuFigure,
  mmr: MmrFigure,
  channels: ChannelsFigure,
  purses: PursesFigure,
  parcel: ParcelFigure,
  refining: RefiningFigure,
  month: MonthFigure,
}
