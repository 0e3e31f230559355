-- The list of goods read every parcel of thirty days from this index, and nothing else did. By itself, so that parcels are locked for no longer than that takes.
drop index expresses_recent;
