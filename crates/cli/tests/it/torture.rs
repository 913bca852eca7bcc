//! The real program killed at random moments: nothing lost, nothing twice.

use crate::program::Place;

#[test]
fn nothing_is_lost_or_done_twice_when_the_program_is_killed_at_random_moments() {
    let place = Place::new();
    let ran = place.run(&["torture", "--kills", "25"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(ran.out.lines().last(), Some("kills 25, lost 0, doubled 0"), "{ran:#?}");
    let one = place.run(&["torture", "--kills", "3", "--nodes", "1", "--json"]).json();
    assert_eq!((&one["kills"], &one["lost"], &one["doubled"]), (&3.into(), &0.into(), &0.into()));
}
