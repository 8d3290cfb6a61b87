/**
 * The column types that models share; times are integers (ms, UTC) and booleans 0 or 1 on both databases. Functions,
 * since Sequelize writes into the objects it is given.
 */
import { DataTypes, type ModelAttributeColumnOptions } from 'sequelize'

type Column = ModelAttributeColumnOptions

export const id = (): Column => ({ type: DataTypes.BIGINT, primaryKey: true, autoIncrement: true })
export const whole = (): Column => ({ type: DataTypes.BIGINT, allowNull: false })
export const maybeWhole = (): Column => ({ type: DataTypes.BIGINT })
export const flag = (): Column => ({ type: DataTypes.TINYINT, allowNull: false })
export const text = (): Column => ({ type: DataTypes.TEXT, allowNull: false })
export const maybeText = (): Column => ({ type: DataTypes.TEXT })
export const bytes = (): Column => ({ type: DataTypes.BLOB, allowNull: false })

/** 0 or 1 in the database. */
export type Flag = 0 | 1

export const toFlag = (value: boolean): Flag => (value ? 1 : 0)
