-- Precondition: none.
-- Bounds of a moment that another condition of the statement says already: they compare as >= and < do, and the planner expects 995 of 1,000 rows to keep them.
-- Of >= and < beside the bounds of the transfers it would expect a ninth of the rows (server/src/platform/db/known-bounds.ts).
create operator >=~ (leftarg = timestamptz, rightarg = timestamptz, function = timestamptz_ge, restrict = neqsel);
comment on operator >=~ (timestamptz, timestamptz) is 'Greater than or equal, kept by nearly all rows.';
create operator <~ (leftarg = timestamptz, rightarg = timestamptz, function = timestamptz_lt, restrict = neqsel);
comment on operator <~ (timestamptz, timestamptz) is 'Less than, kept by nearly all rows.';
