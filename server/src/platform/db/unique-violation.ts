import { violatedConstraint } from './db.ts';
import { failFields } from '#platform/fail.ts';

/**
 * Awaits a write. If it violates a unique constraint, throws an error with `code` at the field that
 * `unique` contains for this constraint.
 */
export const mapUniqueViolation = async <T>(
  unique: Readonly<Record<string, string>>,
  write: Promise<T>,
  code: 'taken' | 'name_unavailable' = 'taken',
): Promise<T> => {
  try {
    return await write;
  } catch (error) {
    const field = unique[violatedConstraint(error) ?? ''];
    if (field === undefined) throw error;
    return failFields({ [field]: { code } });
  }
};
